import type { ToolSpec } from "@pith/llm";
import type { Intent } from "./intent.ts";
import type { FileChange } from "./kind.ts";
import type { Outcome } from "./outcome.ts";
import type { Schema } from "./schema.ts";

// biome-ignore lint/suspicious/noExplicitAny: a list of tools holds tools of any input
export interface Tool<I = any> {
  name: string;
  /** Description for the model: the tool's .md with its holes filled. */
  about: string;
  /** A short description, for models that get lost in a long one. */
  brief?: string;
  input: Schema<I>;
  /** Words for the search for tools, if the name does not say it. */
  label?: string;
  /** Name at its source, if different. */
  original?: string;
  /** Tools it needs: they are offered together with it. */
  companions?: readonly string[];
  /** Set if the chosen way of working needs it, so that it is always offered. */
  told?: "always";
  /** Set if its only argument is a text, which a model may write without JSON where the vendor supports it. */
  freeform?: ToolSpec["freeform"];
  /** Names of other agents for it and its arguments, which models remember. */
  foreign?: ForeignNames;
  /** Set if it only reads, so that broken arguments may be guessed. */
  looks?: true;
  /** True for calls that may run beside others: they change nothing the others see. */
  beside?(input: I): boolean;
  /** Set if it only shows changes, which a later call of `resolve` applies or drops. */
  deferrable?: true;
  /** Changes that a partly arrived call would make. For display only: it reads and never writes. */
  arriving?(args: string): Promise<FileChange[]>;
  /** Reads arriving arguments and returns the text they add to files. */
  adds?(): ArrivingTextReader;
  /**
   * Works out what a call will do, or why it cannot be done. It only reads: a writer computes the bytes here, and `run`
   * only writes them.
   */
  prepare(input: I, how: PrepareOptions): Intent | Outcome | Promise<Intent | Outcome>;
}

/** Text that a call adds to a file, if it names one. */
export interface ArrivingText {
  path?: string | undefined;
  text: string;
}

export interface ArrivingTextReader {
  take(delta: string): readonly ArrivingText[];
  /** Returns the held text at the end. */
  end(): readonly ArrivingText[];
}

export interface ForeignNames {
  names: readonly string[];
  /** False for arguments with which a name means another tool. */
  takes?(written: Readonly<Record<string, unknown>>): boolean;
  /** Translates arguments; a text tells what to send instead. */
  read(written: Readonly<Record<string, unknown>>): ParsedArguments | string;
}

/** Arguments as understood, and a note about that for the model. */
export interface ParsedArguments {
  input: unknown;
  note?: string;
}

/** Options of a preparation. */
export interface PrepareOptions {
  signal: AbortSignal;
  /** Hunks that the user refused; the rest is prepared. */
  without: readonly string[];
}
