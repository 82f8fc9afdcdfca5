import { type ShellState, sameState, stateText } from "./state.ts";

/** What a shell holds (variables, functions, aliases, options), in bash's own words. */
export interface ShellDefinitions {
  /** What its user's files left. */
  began: string;
  /** What the next command begins with; several where that is put together of what two sides of a wall left. */
  now: readonly string[];
}

export const definitionsOf = (first: ShellState, states: readonly ShellState[]): ShellDefinitions => ({
  began: textFor(first),
  now: [...new Set(states)].map(textFor),
});

/** Whether a shell is still what it was; what every command changes does not count. */
export function sameDefinitions(before: ShellDefinitions | undefined, memory: ShellDefinitions | undefined): boolean {
  if (!memory) return before === undefined;
  // Before the first command it is what it began as.
  const known = before?.now ?? [memory.began];
  return memory.now.every((one) => known.some((other) => one === other || sameState(one, other)));
}

const texts = new WeakMap<ShellState, string>();

/** A state's file may go when it is not the newest any more. */
function textFor(state: ShellState): string {
  const text = texts.get(state) ?? stateText(state);
  texts.set(state, text);
  return text;
}
