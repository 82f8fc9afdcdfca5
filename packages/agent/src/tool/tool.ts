import type { ToolSpec } from "@pith/llm";
import type { Intent } from "./intent.ts";
import type { FileChange } from "./kind.ts";
import type { Outcome } from "./outcome.ts";
import type { Schema } from "./schema.ts";

// biome-ignore lint/suspicious/noExplicitAny: a list of tools holds tools of any input
export interface Tool<I = any> {
  name: string;
  /** What the model reads: the tool's .md with its holes filled. */
  about: string;
  /** The same in few words, for a model that loses itself in many. */
  brief?: string;
  input: Schema<I>;
  /** In a few words for who looks for a tool, where its name does not say it. */
  label?: string;
  /** What its source calls it, where that is another name. */
  original?: string;
  /** Tools that it is of no use without: whoever is told of it is told of them. */
  companions?: readonly string[];
  /** The way a person chose to work needs it, so it is told whatever else is left to be found. */
  told?: "always";
  /** Its one argument is a text, which a model may write without JSON around it where its vendor knows that. */
  freeform?: ToolSpec["freeform"];
  /** What other agents call it and its arguments, because models remember those too. */
  foreign?: ForeignNames;
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
  /** Reads arguments as they arrive, and tells at once which text they add to files. */
  adds?(): ArrivingTextReader;
  /**
   * What a call with this input will do; an outcome where it cannot be done. It looks and changes nothing: a writer
   * works out the bytes here, and `run` only places them.
   */
  prepare(input: I, how: PrepareOptions): Intent | Outcome | Promise<Intent | Outcome>;
}

/** Some of what a call adds to a file; without a path where it names none. */
export interface ArrivingText {
  path?: string | undefined;
  text: string;
}

export interface ArrivingTextReader {
  take(delta: string): readonly ArrivingText[];
  /** What is still held back when nothing more comes. */
  end(): readonly ArrivingText[];
}

export interface ForeignNames {
  names: readonly string[];
  /** Arguments in our words; a text tells what to send instead. */
  read(written: Readonly<Record<string, unknown>>): ParsedArguments | string;
}

/** Arguments as they were understood, and what the model should know of that. */
export interface ParsedArguments {
  input: unknown;
  note?: string;
}

/** How a call is prepared. */
export interface PrepareOptions {
  signal: AbortSignal;
  /** Names of hunks that a person refused; the rest is prepared. */
  without: readonly string[];
}
