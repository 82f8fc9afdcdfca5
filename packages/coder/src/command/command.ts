import type { Outcome, UserInput } from "@pith/agent";

/** One slash command; the same for every face. */
export interface Command {
  /** Without its slash. */
  name: string;
  /** In a few words, for help and completion. */
  about: string;
  /** What may stand behind the name. */
  usage?: string;
  /** Other names that mean it. */
  aliases?: readonly string[];
  /** What may stand behind the name, given what was typed of it so far. */
  complete?(words: string): readonly string[] | Promise<readonly string[]>;
  /** Whether it may be given while a turn runs. */
  when: "any time" | "idle";
  /** The file that brought it, and whose that is; without it is ours. */
  from?: { path: string; level: "project" | "user" };
  run(words: string, signal: AbortSignal): Ending | Promise<Ending>;
}

/** What became of a command: something to look at, words for the model, or something that only a face can do. */
export type Ending = { do: "show"; outcome: Outcome } | Worded | { do: "wish"; wish: Wish };

/** Words for the model. Files that the typed words name by `@` come with them, and those that `names` does. */
interface Worded {
  do: "prompt";
  input: UserInput;
  names?: Naming | undefined;
}

/** A text in which `@` names files, and where such a file must really stand. */
export interface Naming {
  text: string;
  within?: string | undefined;
}

/** Asked of the interface in which the command was typed; one that cannot do it declines. */
export type Wish =
  | { name: "quit" }
  /** A new session in the place of this one. */
  | { name: "new" }
  /** An action of the interface, which has put the command into the table itself. */
  | { name: "act"; action: string; words: string };

export const show = (text: string, failed?: "failed"): Ending => ({
  do: "show",
  outcome: { kind: "prose", data: {}, text, ...(failed ? { failed: true as const } : {}) },
});

export const prompt = (text: string, names?: Naming): Ending => ({ do: "prompt", input: { text }, names });
