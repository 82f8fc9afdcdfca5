import type { Action } from "./action.ts";
import type { Keys } from "./keys.ts";

/** The keys as they really stand, one row for each thing that can be done. */
export function hotkeys(keys: Keys, actions: readonly Action[]): string {
  const rows = actions.map(({ name, about, command }) => {
    const ways = [...keys.of(name), ...(command === undefined ? [] : [`/${command}`])];
    return [ways.join(", ") || "(no key)", about, name] as const;
  });
  const editing = keys.editing.map((name) => [keys.of(name).join(", ") || "(no key)", inWords(name), name] as const);
  const all = [...rows, ...editing];
  const wide = Math.min(widest, Math.max(...all.map(([ways]) => ways.length)));
  const listed = all.map(([ways, about, name]) => `${ways.padEnd(wide)}  ${about}  ${name}`);
  return ["Keys, what they do, and the name by which keybindings.yml gives them others:", "", ...listed].join("\n");
}

/** Keys that need more push what they do aside, in their own row alone. */
const widest = 24;

/** `tui.editor.deleteToLineEnd`: delete to line end. */
const inWords = (name: string): string =>
  (name.split(".").at(-1) ?? name).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
