import type { Risk } from "@pith/agent";
import type { CommandEffect } from "./effect.ts";

/** A file that a part names. */
export interface PartTouch {
  effect: "read" | "write";
  /** The place it leads to, with signs for patterns and for what is not known. */
  path: string;
  /** As it was written, made absolute; undefined where that is not known. */
  named: string | undefined;
  /** True when all that lies below is touched too. */
  all?: boolean;
  /** True when what is told of it comes from elsewhere, so that hiding the file does not keep it from a command. */
  kept?: boolean;
}

/** Words and places that a program is told, which it may run or touch though nobody can look into it. */
export interface Said {
  words: readonly string[];
  paths: readonly PartTouch[];
}

/** The effects of redirections and variables around a program. */
export interface PartSetup {
  effects: readonly CommandEffect[];
  severity: Risk;
  guard: string | undefined;
}

/** A program that a text may run, and what that does. */
export interface JudgedPart {
  text: string;
  /** Undefined where only a running shell knows, or nothing is run. */
  program: string | undefined;
  args: readonly (string | undefined)[];
  effects: readonly CommandEffect[];
  severity: Risk;
  /** The reason why it is asked about in every mode. */
  guard: string | undefined;
  reason: string | undefined;
  touches: readonly PartTouch[];
  hosts: readonly string[];
  /** Words and places that it is told, where nobody can look into what it makes of that. */
  said: Said;
  setup: PartSetup;
}

export interface Judgement {
  parts: readonly JudgedPart[];
  /** The reason why the text was not understood. */
  problem: string | undefined;
  /** The text to run where no sandbox works; undefined where the command is not plain. */
  plain: string | undefined;
  /** The reason why the command is not plain. */
  notPlain: string | undefined;
  /** The programs of the command that would be plain if they stood alone, by their text. */
  plainParts: ReadonlySet<string>;
  /** True where every word is literal, and nothing but programs run. */
  literal: boolean;
}
