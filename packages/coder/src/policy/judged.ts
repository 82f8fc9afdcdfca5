import type { Effect } from "./effect.ts";
import type { Severity } from "./severity.ts";

/** One program that a text may run, and what that does. */
export interface JudgedPart {
  text: string;
  /** Undefined where only a running shell knows, or nothing is run. */
  program: string | undefined;
  args: readonly (string | undefined)[];
  effects: readonly Effect[];
  severity: Severity;
  /** Why it is asked about in every mode. */
  guard: string | undefined;
  reason: string | undefined;
}

export interface Judged {
  parts: readonly JudgedPart[];
  /** Why the text was not understood. */
  problem: string | undefined;
}
