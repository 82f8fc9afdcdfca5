import { type ShellState, sameState, stateText } from "./state.ts";

/** The variables, functions, aliases and options of a shell, in bash's own words. */
export interface ShellDefinitions {
  /** The definitions that the user's start-up files left. */
  began: string;
  /** The definitions of the next command; several where they are put together of two sides of a sandbox. */
  now: readonly string[];
}

export const definitionsOf = (first: ShellState, states: readonly ShellState[]): ShellDefinitions => ({
  began: textFor(first),
  now: [...new Set(states)].map(textFor),
});

/** True if the definitions are as before, apart from those that every command changes. */
export function sameDefinitions(before: ShellDefinitions | undefined, after: ShellDefinitions | undefined): boolean {
  if (!after) return before === undefined;
  // Before the first command they are those of the start-up files.
  const known = before?.now ?? [after.began];
  return after.now.every((one) => known.some((other) => one === other || sameState(one, other)));
}

const texts = new WeakMap<ShellState, string>();

/** The text of a state, remembered: its file may go when it is not the newest any more. */
function textFor(state: ShellState): string {
  const text = texts.get(state) ?? stateText(state);
  texts.set(state, text);
  return text;
}
