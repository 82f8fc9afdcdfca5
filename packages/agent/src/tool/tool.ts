import type { Image, ToolSpec } from "@pith/llm";
import { type Intent, touch } from "./intent.ts";
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
  /** Its one argument is a text, which a model may write without JSON around it where its vendor knows that. */
  freeform?: ToolSpec["freeform"];
  /** It only ever looks, so arguments that arrived broken may be guessed. */
  looks?: true;
  /** Whether a call may run beside others of its reply: it changes nothing that they see. */
  beside?(input: I): boolean;
  /** Shows what it would do; it is done or dropped by a later call of `resolve`. */
  deferrable?: true;
  /**
   * What a call would change, told by as much of its arguments as has arrived. For showing only: it reads and never
   * writes.
   */
  arriving?(args: string): Promise<FileChange[]>;
  /**
   * What a call with this input will do; an outcome where it cannot be done. It looks and changes nothing: a writer
   * works out the bytes here, and `run` only places them.
   */
  prepare(input: I, how: Preparing): Intent | Outcome | Promise<Intent | Outcome>;
}

/** How a call is prepared. */
export interface Preparing {
  signal: AbortSignal;
  /** Names of hunks that a person refused; the rest is prepared. */
  without: readonly string[];
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

/** Of a tool that is not yet taken apart into looking and doing. */
interface Whole<I> extends Omit<Tool<I>, "prepare" | "beside"> {
  effect: Effect | ((input: I) => Effect);
  paths?(input: I): string[];
  alone?: true;
  run(input: I, call: Call): Promise<Outcome>;
}

/** Keeps the input's type while listing tools of many inputs. */
export function tool<I>(made: Tool<I> | Whole<I>): Tool<I> {
  if ("prepare" in made) return made;
  const { effect, paths, alone, run, ...rest } = made;
  return {
    ...rest,
    ...(effect === "read" ? { looks: true as const, beside: () => alone !== true } : {}),
    prepare(input) {
      const does = typeof effect === "function" ? effect(input) : effect;
      const kind = does === "net" ? "read" : does;
      return {
        effect: does,
        paths: (paths?.(input) ?? []).map((path) => touch(kind, path)),
        run: (call) => run(input, call),
      };
    },
  };
}
