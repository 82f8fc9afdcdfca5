import { compilePattern, findMatches, languageOf, mayMatch, openLanguage, withTree } from "@pith/host";

/** Longer texts are not parsed: that cannot be interrupted. */
const mostText = 200_000;

/** Where code of a shape stands in a text; as long as that arrives, what touches its end is not yet what it will be. */
export async function findShape(
  patterns: readonly string[],
  path: string,
  text: string,
  state: "arriving" | "whole",
): Promise<{ from: number; to: number } | undefined> {
  const name = text.length > mostText ? undefined : languageOf(path, text);
  if (!name) return undefined;
  const language = await openLanguage(name);
  const end = state === "whole" ? Number.POSITIVE_INFINITY : text.trimEnd().length;
  for (const source of patterns) {
    const pattern = compilePattern(source, language);
    if (!pattern.ok || !mayMatch(pattern.value, text)) continue;
    const found = withTree(text, language, (tree) => findMatches(pattern.value, tree, text)) ?? [];
    const first = found.find(({ to }) => to.index < end);
    if (first) return { from: first.from.index, to: first.to.index };
  }
  return undefined;
}
