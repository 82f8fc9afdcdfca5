import { schema as s, type Tool } from "@pith/agent";
import { fill } from "@pith/kit";
import { linesText, markOf } from "../../../tools/display.ts";
import { parseSelector } from "../../../tools/selector.ts";
import type { ReadOptions } from "./options.ts";
import prose from "./read.md" with { type: "text" };
import short from "./read.short.md" with { type: "text" };

const input = s.object({ path: s.string().min(1).describe("With an optional selector") });
type Input = s.Infer<typeof input>;

export function read(options: ReadOptions): Tool<Input> {
  return {
    name: "read",
    about: fill(prose, {
      shape: linesText(options.display),
      mark: markOf(options.display),
      lines: options.room().limit,
    }),
    brief: fill(short, { shape: linesText(options.display) }),
    input,
    looks: true,
    beside: ({ path }) => !numbersConflicts(path),
    prepare: async ({ path }, { signal }) => (await import("./show.ts")).prepareRead(options, path, signal),
  };
}

/** True where conflicts would be shown, which gives each a number that a later call of the same reply may use. */
function numbersConflicts(path: string): boolean {
  const selected = parseSelector(path, () => false);
  return selected.ok && selected.value.show === "conflicts";
}
