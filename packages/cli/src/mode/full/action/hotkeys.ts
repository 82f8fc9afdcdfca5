import type { Action } from "./action.ts";
import type { Keys } from "./keys.ts";

/** The keys as they really stand, one row for each thing that can be done. */
export function hotkeys(keys: Keys, actions: readonly Action[]): string {
  const rows = actions.map(({ name, about, command }) => {
    const ways = [...keys.of(name), ...(command === undefined ? [] : [`/${command}`])];
    return [ways.join(", ") || "(no key)", about, name] as const;
  });
  const editing = keys.editing.map((name) => [keys.of(name).join(", ") || "(no key)", "", name] as const);
  const all = [...rows, ...editing];
  const wide = Math.min(34, Math.max(...all.map(([ways]) => ways.length)));
  return all
    .map(([ways, about, name]) => `${ways.padEnd(wide)}  ${about === "" ? name : `${about} (${name})`}`)
    .join("\n");
}
