import type { Place, Span, SyntaxTree } from "./tree.ts";

/** Markdown without a grammar: headings, fences and the first lines below a heading are its declarations. */
export function parseProse(text: string): SyntaxTree {
  const nothing: Place = { index: 0, line: 0, column: 0 };
  return {
    root: { kind: "document", named: true, from: nothing, to: nothing, children: [], broken: false },
    spans: () => foldProse(text.split("\n")),
    errors: () => [],
    ofKind: () => [],
    [Symbol.dispose]: () => {},
  };
}

// What a reader needs to see of a section to know whether to open it.
const keptLines = 2;

function foldProse(lines: readonly string[]): Span[] {
  const spans: Span[] = [];
  let fence: string | undefined;
  let said = 0;
  let from: number | undefined;
  const close = (to: number) => {
    if (from !== undefined) spans.push({ fold: "body", from: { ...at(from), column: 0 }, to: at(to) });
    from = undefined;
  };
  for (const [i, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const inside = fence !== undefined;
    if (mark && (fence === undefined || (line.trim() === mark && mark.startsWith(fence))))
      fence = inside ? undefined : mark;
    const heading =
      !inside &&
      !mark &&
      (/^ {0,3}#{1,6}(\s|$)/.test(line) || /^ {0,3}(=+|-{2,})\s*$/.test(lines[i + 1] ?? "")) &&
      line.trim() !== "";
    if (heading) {
      close(lastText(lines, i - 1));
      said = /^ {0,3}#/.test(line) ? 0 : -1;
    } else if (from === undefined && line.trim() !== "" && ++said > keptLines) from = i;
  }
  close(lastText(lines, lines.length - 1));
  return spans;
}

/** Blank lines before a heading stay: they set it apart. */
function lastText(lines: readonly string[], from: number): number {
  let line = from;
  while (line > 0 && lines[line]?.trim() === "") line--;
  return line;
}

/** Whole lines: the number of the line serves as index. The end stands behind the line, for it is part of the fold. */
const at = (line: number): Place => ({ index: line, line, column: 1 });
