import type { Outcome, UserInput } from "@pith/agent";

/** A slash command, the same in every interface. */
export interface Command {
  /** The name without its slash. */
  name: string;
  /** A few words for help and completion. */
  about: string;
  /** The arguments, for help. */
  usage?: string;
  /** Other names. */
  aliases?: readonly string[];
  /** Completes the arguments, given what was typed of them so far. */
  complete?(words: string): readonly string[] | Promise<readonly string[]>;
  /** Says when it may run: at any time (also without this), or only between turns. */
  when?: "any time" | "idle";
  /** The file that brought it, and its owner; undefined for built-in commands. */
  from?: { path: string; level: "project" | "user" };
  run(words: string, signal: AbortSignal): Ending | Promise<Ending>;
}

/** The end of a command: an output, input for the model, or a wish that only an interface can carry out. */
export type Ending = { do: "show"; outcome: Outcome } | PromptEnding | { do: "wish"; wish: Wish };

/** Input for the model. Files are attached that the typed words or `names` name by `@`. */
interface PromptEnding {
  do: "prompt";
  input: UserInput;
  names?: Naming | undefined;
}

/** A text in which `@` names files, and the directory that they must really be in. */
export interface Naming {
  text: string;
  within?: string | undefined;
}

/** A wish to the interface in which the command was typed, which may decline. */
export type Wish =
  | { name: "quit" }
  /** Begins a new session in place of this one. */
  | { name: "new" }
  /** Runs an action of the interface, which has put the command into the table itself. */
  | { name: "act"; action: string; words: string };

export const show = (text: string, failed?: "failed"): Ending => ({
  do: "show",
  outcome: { kind: "prose", data: {}, text, ...(failed ? { failed: true as const } : {}) },
});

export const prompt = (text: string, names?: Naming): Ending => ({ do: "prompt", input: { text }, names });
