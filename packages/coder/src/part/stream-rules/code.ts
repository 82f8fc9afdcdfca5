import { compilePattern, findMatches, languageOf, mayMatch, openLanguage, withTree } from "@pith/host";

/** Longer texts are not parsed, because parsing cannot be interrupted. */
const mostText = 200_000;

/**
 * Finds code by its structure. In a text that still arrives, code that touches the end does not count. Calls
 * `onInvalid` if no pattern is code of the file's language.
 */
export async function findCode(
  patterns: readonly string[],
  path: string,
  text: string,
  state: "arriving" | "whole",
  onInvalid?: (why: string) => void,
): Promise<{ from: number; to: number } | undefined> {
  const name = text.length > mostText ? undefined : languageOf(path, text);
  if (!name) return undefined;
  const language = await openLanguage(name);
  const end = state === "whole" ? Number.POSITIVE_INFINITY : text.trimEnd().length;
  const all = patterns.map((source) => compilePattern(source, language));
  if (all.every(({ ok }) => !ok)) onInvalid?.(all.flatMap((one) => (one.ok ? [] : [one.message])).join("; "));
  for (const pattern of all) {
    if (!pattern.ok || !mayMatch(pattern.value, text)) continue;
    const found = withTree(text, language, (tree) => findMatches(pattern.value, tree, text)) ?? [];
    const first = found.find(({ to }) => to.index < end);
    if (first) return { from: first.from.index, to: first.to.index };
  }
  return undefined;
}
