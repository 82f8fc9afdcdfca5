import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLParseError } from "yaml";

/**
 * Finds the line of a key (the last, if it stands twice) or of a list item, or of the first syntax error, with its
 * message. For a missing key it is the line of what would hold it.
 */
export function lineFinder(text: string): (path: readonly (string | number)[] | undefined) => {
  line: number | undefined;
  syntax?: string;
  of: "it" | "what would hold it";
} {
  const lineCounter = new LineCounter();
  const doc = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  const wrong = doc.errors[0];
  return (path) => {
    const syntax = wrong && wordsFor(wrong, path);
    if (syntax) return { line: lineCounter.linePos(wrong.pos[0]).line, syntax, of: "it" };
    const { at, of } = placeOf(doc.contents, path ?? []);
    return { line: at === undefined ? undefined : lineCounter.linePos(at).line, of };
  };
}

/** Offset of the deepest existing part of a path. */
function placeOf(
  top: unknown,
  path: readonly (string | number)[],
): { at: number | undefined; of: "it" | "what would hold it" } {
  let node = top;
  let at: number | undefined;
  for (const name of path) {
    if (isSeq(node) && typeof name === "number") {
      node = node.items[name];
      at = (node as { range?: [number, number, number] } | undefined)?.range?.[0] ?? at;
      continue;
    }
    const pair = isMap(node)
      ? node.items.findLast(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    if (!pair) return { at, of: "what would hold it" };
    at = isScalar(pair.key) ? pair.key.range?.[0] : at;
    node = pair.value;
  }
  return { at, of: "it" };
}

function wordsFor({ code, message }: YAMLParseError, path: readonly unknown[] | undefined): string | undefined {
  if (code !== "MULTIPLE_DOCS") return path ? undefined : message;
  // The faster parser turns several documents into a list, for which the usual message would be wrong.
  return path?.length ? undefined : "a second document begins here, and only one is read";
}
