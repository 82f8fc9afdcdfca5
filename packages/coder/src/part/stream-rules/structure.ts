import { compilePattern, findMatches, languageOf, mayMatch, openLanguage, withTree } from "@pith/host";

/** Longer texts are not parsed: that cannot be interrupted. */
const mostText = 200_000;

/**
 * Where code of a shape stands in a text; as long as that arrives, what touches its end is not yet what it will be.
 * `wrong` is told why where no pattern is code of this language.
 */
export async function findShape(
  patterns: readonly string[],
  path: string,
  text: string,
  state: "arriving" | "whole",
  wrong?: (why: string) => void,
): Promise<{ from: number; to: number } | undefined> {
  const name = text.length > mostText ? undefined : languageOf(path, text);
  if (!name) return undefined;
  const language = await openLanguage(name);
  const end = state === "whole" ? Number.POSITIVE_INFINITY : text.trimEnd().length;
  const all = patterns.map((source) => compilePattern(source, language));
  if (all.every(({ ok }) => !ok)) wrong?.(all.flatMap((one) => (one.ok ? [] : [one.message])).join("; "));
  for (const pattern of all) {
    if (!pattern.ok || !mayMatch(pattern.value, text)) continue;
    const found = withTree(text, language, (tree) => findMatches(pattern.value, tree, text)) ?? [];
    const first = found.find(({ to }) => to.index < end);
    if (first) return { from: first.from.index, to: first.to.index };
  }
  return undefined;
}
