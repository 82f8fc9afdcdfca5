import type { Image, ToolSpec } from "@pith/llm";
import type { Data, FileChange, Kind } from "./kind.ts";
import type { Meta } from "./meta.ts";
import type { Schema } from "./schema.ts";

/** What running a call may do to the world; policy decides by it. */
export type Effect = "read" | "write" | "exec" | "net";

// biome-ignore lint/suspicious/noExplicitAny: a list of tools holds tools of any input
export interface Tool<I = any> {
  name: string;
  /** What the model reads: the tool's .md with its holes filled. */
  about: string;
  input: Schema<I>;
  effect: Effect | ((input: I) => Effect);
  /** The paths a call touches, as given or resolved; policy and ordering look at them. */
  paths?(input: I): string[];
  /** Its one argument is a text, which a model may write without JSON around it where its vendor knows that. */
  freeform?: ToolSpec["freeform"];
  /** Never beside other calls of a batch. */
  alone?: true;
  /** Shows what it would do; it is done or dropped by a later call of `resolve`. */
  deferrable?: true;
  /**
   * What a call would change, told by as much of its arguments as has arrived. For showing only: it reads and never
   * writes.
   */
  arriving?(args: string): Promise<FileChange[]>;
  run(input: I, call: Call): Promise<Outcome>;
}

export interface Call {
  id: string;
  signal: AbortSignal;
  /** Shows a partial outcome; may be dropped, never recorded. */
  progress(part: Outcome): void;
}

export interface Outcome<K extends Kind = Kind> {
  kind: K;
  /** For views, JSON, RPC, ACP and export. */
  data: Data[K];
  /** For the model. */
  text: string;
  images?: Image[];
  failed?: true;
  meta?: Meta;
}

/** Keeps the input's type while listing tools of many inputs. */
export const tool = <I>(own: Tool<I>): Tool<I> => own;

export const effectOf = (own: Tool, input: unknown): Effect =>
  typeof own.effect === "function" ? own.effect(input) : own.effect;
