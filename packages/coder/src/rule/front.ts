import type { Item } from "../capability/item.ts";
import type { Look } from "../capability/look.ts";
import { Engine, mostText } from "./engine.ts";
import { isFor } from "./glob.ts";

/** What a rule finds in a text: the first place of every condition. */
export interface Tried {
  condition: string;
  line: number;
  column: number;
  text: string;
}

/** Tries a rule on a whole text, as if it were written to a file; without a path shapes of code are not looked for. */
export async function tryRule(
  { data: { watch } }: Item<"rule">,
  text: string,
  path: string | undefined,
): Promise<Tried[]> {
  const wrong: string[] = [];
  const engine = await Engine.load(({ source }, why) => void wrong.push(`${source}: ${why}`));
  const all = text.slice(0, mostText);
  const found: Tried[] = [];
  for (const condition of watch?.conditions ?? []) {
    const place = engine.find(condition, all);
    if (place) found.push(placed(condition.source, all, place));
  }
  if (wrong.length > 0) throw new Error(wrong.join("; "));
  const { findShape } = await import("./structure.ts");
  for (const pattern of path === undefined ? [] : (watch?.patterns ?? [])) {
    const place = await findShape([pattern], path ?? "", all, "whole");
    if (place) found.push(placed(pattern, all, place));
  }
  return found;
}

/** Whether a rule is for a file at all. */
export const isForFile = (item: Item<"rule">, path: string, look: Look): boolean =>
  item.data.globs.length === 0 || isFor(item, path, look);

function placed(condition: string, text: string, { from }: { from: number }): Tried {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const end = text.indexOf("\n", from);
  return {
    condition,
    line: text.slice(0, from).split("\n").length,
    column: from - start + 1,
    text: text
      .slice(start, end === -1 ? undefined : end)
      .trim()
      .slice(0, 200),
  };
}
