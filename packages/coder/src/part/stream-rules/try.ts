import type { ConfigFiles } from "../../capability/config-files.ts";
import type { Item } from "../../capability/item.ts";
import { isFor, isNamed } from "../../capability/rule-files.ts";
import { Engine, mostText } from "./engine.ts";

/** The first match of a condition or pattern. */
interface RuleMatch {
  condition: string;
  line: number;
  column: number;
  text: string;
}

/**
 * Tries a rule on a whole text, as if it were written to a file. Returns the matches, and the reasons why some
 * conditions cannot be used. Patterns of code are tried only with a path.
 */
export async function tryRule(
  { data: { watch } }: Item<"rule">,
  text: string,
  path: string | undefined,
): Promise<{ found: RuleMatch[]; wrong: string[] }> {
  const wrong: string[] = [];
  const engine = await Engine.load(({ source }, why) => void wrong.push(`${source}: ${why}`));
  const all = text.slice(0, mostText);
  const found: RuleMatch[] = [];
  for (const condition of watch?.conditions ?? []) {
    const place = engine.find(condition, all);
    if (place) found.push(placed(condition.source, all, place));
  }
  if (path === undefined) return { found, wrong };
  const { findCode } = await import("./code.ts");
  for (const pattern of watch?.patterns ?? []) {
    const place = await findCode([pattern], path, all, "whole", (why) => void wrong.push(why));
    if (place) found.push(placed(pattern, all, place));
  }
  return { found, wrong };
}

/** The files that a rule is for; none if this file is one of them. */
export function otherFiles(item: Item<"rule">, path: string, configs: ConfigFiles): readonly string[] {
  const { globs, watch } = item.data;
  if (globs.length > 0 && !isFor(item, path, configs)) return globs;
  const all = (watch?.scopes ?? []).map((scope) => (scope.of === "tool" ? scope.files : undefined));
  const names = all.filter((files) => files !== undefined);
  return names.length < all.length || names.some((files) => isNamed(files, path, configs)) ? [] : names;
}

function placed(condition: string, text: string, { from }: { from: number }): RuleMatch {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const end = `${text}\n`.indexOf("\n", from);
  return {
    condition,
    line: text.slice(0, from).split("\n").length,
    column: from - start + 1,
    text: text.slice(start, end).trim().slice(0, 200),
  };
}
