import type { Item } from "../../capability/item.ts";
import type { Look } from "../../capability/look.ts";
import { isFor, isNamed } from "../../capability/rule-files.ts";
import { Engine, mostText } from "./engine.ts";

/** What a rule finds in a text: the first place of every condition. */
export interface Tried {
  condition: string;
  line: number;
  column: number;
  text: string;
}

/**
 * Tries a rule on a whole text, as if it were written to a file: what it finds, and what of it cannot be looked for.
 * Without a path shapes of code are not looked for.
 */
export async function tryRule(
  { data: { watch } }: Item<"rule">,
  text: string,
  path: string | undefined,
): Promise<{ found: Tried[]; wrong: string[] }> {
  const wrong: string[] = [];
  const engine = await Engine.load(({ source }, why) => void wrong.push(`${source}: ${why}`));
  const all = text.slice(0, mostText);
  const found: Tried[] = [];
  for (const condition of watch?.conditions ?? []) {
    const place = engine.find(condition, all);
    if (place) found.push(placed(condition.source, all, place));
  }
  const { findShape } = await import("./structure.ts");
  for (const pattern of path === undefined ? [] : (watch?.patterns ?? [])) {
    const place = await findShape([pattern], path ?? "", all, "whole", (why) => void wrong.push(why));
    if (place) found.push(placed(pattern, all, place));
  }
  return { found, wrong };
}

/** For which files a rule is, where it is not for this one. */
export function otherFiles(item: Item<"rule">, path: string, look: Look): readonly string[] {
  const { globs, watch } = item.data;
  if (globs.length > 0 && !isFor(item, path, look)) return globs;
  const meant = (watch?.scopes ?? []).map((scope) => (scope.of === "tool" ? scope.files : undefined));
  const names = meant.filter((files) => files !== undefined);
  return names.length < meant.length || names.some((files) => isNamed(files, path, look)) ? [] : names;
}

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
