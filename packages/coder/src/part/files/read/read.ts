import { schema as s, type Tool } from "@pith/agent";
import { fill, formatBytes, isRecord, parseJson } from "@pith/kit";
import { linesText, markOf } from "../../../tools/display.ts";
import { parseSelector } from "../../../tools/selector.ts";
import type { ReadOptions } from "./options.ts";
import prose from "./read.md" with { type: "text" };
import short from "./read.short.md" with { type: "text" };

const told = s.object({ path: s.string().min(1).describe("With an optional selector") });
const several = s.object({ path: s.array(s.string().min(1)).min(1) });
type Input = { path: string | string[] };
/** A list of paths is understood too, also as text. */
const input = new s.Schema<Input>(told.json, (value, tell) => {
  const path = isRecord(value) ? value.path : undefined;
  const list = typeof path === "string" && path.startsWith("[") ? parseJson(path) : path;
  return Array.isArray(list) ? several.read({ path: list }, tell) : told.read(value, tell);
});

export function read(options: ReadOptions): Tool<Input> {
  return {
    name: "read",
    about: fill(prose, {
      shape: linesText(options.display),
      mark: markOf(options.display),
      lines: options.room().limit,
      size: formatBytes(options.room().bytes),
    }),
    brief: fill(short, { shape: linesText(options.display) }),
    input,
    looks: true,
    beside: ({ path }) => ![path].flat().some(numbersConflicts),
    prepare: async ({ path }, { signal }) => (await import("./show.ts")).prepareRead(options, path, signal),
  };
}

/** True where conflicts would be shown, which gives each a number that a later call of the same reply may use. */
function numbersConflicts(path: string): boolean {
  const selected = parseSelector(path, () => false);
  return selected.ok && selected.value.show === "conflicts";
}
