import type { Keys } from "../context.ts";
import type { Action } from "./action.ts";

type Row = readonly [ways: readonly string[], does: string];

/** Lists the keys in force, one row per action, or their names in keybindings.yml. */
export function hotkeys(keys: Keys, actions: readonly Action[], what: "keys" | "names"): string {
  if (what === "names") {
    const all = [...actions.map(({ name }) => name), ...keys.editing];
    const rows = all.map((name): Row => [[name], keys.of(name).join(", ") || "(no key)"]);
    return ["Names for keybindings.yml, and their keys as they stand:", "", ...table(rows, 30)].join("\n");
  }
  const ways = ({ name, command }: Action) => [...keys.of(name), ...(command === undefined ? [] : [`/${command}`])];
  const done = actions.map((action) => ({ has: keys.of(action.name), row: [ways(action), action.about] as Row }));
  const editing = keys.editing.flatMap((name): Row[] =>
    keys.of(name).length > 0 ? [[keys.of(name), inWords(name)]] : [],
  );
  return [
    "Keys",
    ...table(done.filter(({ has }) => has.length > 0).map(({ row }) => row)),
    "",
    "What is typed",
    ...table(editing),
    "",
    "Without a key",
    ...table(
      done
        .filter(({ has }) => has.length === 0)
        .map(({ row: [named, about] }) => [named.length > 0 ? named : ["(no key)"], about]),
    ),
    "",
    "/hotkeys names has the names by which keybindings.yml gives other keys.",
  ].join("\n");
}

/** Lays rows out in two columns; keys that need more room go on below. */
const table = (rows: readonly Row[], wide = 24): string[] =>
  rows.flatMap(([ways, does]) => {
    const lines: string[] = [];
    for (const way of ways) {
      const longer = `${lines.at(-1)}, ${way}`;
      if (lines.length > 0 && longer.length < wide) lines[lines.length - 1] = longer;
      else lines.push(way);
    }
    return lines.map((line, at) => {
      const said = at < lines.length - 1 ? `${line},` : line;
      return at === 0 ? `  ${said.padEnd(wide)}  ${does}` : `  ${said}`;
    });
  });

/** Descriptions of names that do not say what they do. */
const words: Readonly<Record<string, string>> = {
  "tui.editor.yank": "put in what was cut",
  "tui.editor.yankPop": "put in what was cut before that",
  "tui.editor.transpose": "swap two letters",
  "tui.input.submit": "say it",
  "tui.input.tab": "complete",
};

/** `tui.editor.deleteToLineEnd`: delete to line end. */
const inWords = (name: string): string =>
  words[name] ?? (name.split(".").at(-1) ?? name).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
