import type { Risk } from "@pith/agent";
import type { CommandEffect } from "./effect.ts";

/** A file that a part names. */
export interface PartTouch {
  effect: "read" | "write";
  /** Where it leads; with patterns and what is not known in it. */
  path: string;
  /** As it was written, made absolute; undefined where that is not known. */
  named: string | undefined;
  /** And all that lies below. */
  all?: boolean;
  /** What is told of it comes from elsewhere, and is not kept from a command by hiding the file. */
  kept?: boolean;
  /** Of all that lies below only these, worked out where it is asked about. */
  only?(): readonly string[];
}

/** What is done around a program: redirections, variables that are set for it. */
export interface PartSetup {
  effects: readonly CommandEffect[];
  severity: Risk;
  guard: string | undefined;
}

/** One program that a text may run, and what that does. */
export interface JudgedPart {
  text: string;
  /** Undefined where only a running shell knows, or nothing is run. */
  program: string | undefined;
  args: readonly (string | undefined)[];
  effects: readonly CommandEffect[];
  severity: Risk;
  /** Why it is asked about in every mode. */
  guard: string | undefined;
  reason: string | undefined;
  touches: readonly PartTouch[];
  hosts: readonly string[];
  setup: PartSetup;
}

export interface Judgement {
  parts: readonly JudgedPart[];
  /** Why the text was not understood. */
  problem: string | undefined;
}
