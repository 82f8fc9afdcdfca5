import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

/**
 * Finds the line of a key (the last, if it stands twice) or a list item, or of the first thing that is not YAML (with
 * the parser's words for it).
 */
export function lineFinder(
  text: string,
): (path: readonly (string | number)[] | undefined) => { line: number | undefined; syntax?: string } {
  const lineCounter = new LineCounter();
  const doc = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  return (path) => {
    const wrong = doc.errors[0];
    if (path === undefined && wrong) return { line: lineCounter.linePos(wrong.pos[0]).line, syntax: wrong.message };
    let node: unknown = doc.contents;
    let at: number | undefined;
    for (const name of path ?? []) {
      if (isSeq(node) && typeof name === "number") {
        node = node.items[name];
        at = (node as { range?: [number, number, number] } | undefined)?.range?.[0] ?? at;
        continue;
      }
      const pair = isMap(node)
        ? node.items.findLast(({ key }) => isScalar(key) && String(key.value) === name)
        : undefined;
      if (!pair) break;
      at = isScalar(pair.key) ? pair.key.range?.[0] : at;
      node = pair.value;
    }
    return { line: at === undefined ? undefined : lineCounter.linePos(at).line };
  };
}
