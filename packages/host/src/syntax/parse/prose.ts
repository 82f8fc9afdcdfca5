import type { FoldSpan, Position, SyntaxTree } from "./tree.ts";

/** Markdown without a grammar: headings, fences and the first lines below a heading are its declarations. */
export function parseProse(text: string): SyntaxTree {
  const nothing: Position = { index: 0, line: 0, column: 0 };
  return {
    root: { kind: "document", named: true, from: nothing, to: nothing, children: [], broken: false },
    spans: () => foldProse(text.split("\n")),
    errors: () => [],
    ofKind: () => [],
    [Symbol.dispose]: () => {},
  };
}

// A reader needs to see so many lines of a section to know whether to open it.
const keptLines = 2;

function foldProse(lines: readonly string[]): FoldSpan[] {
  const spans: FoldSpan[] = [];
  let fence: string | undefined;
  let shown = 0;
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
      shown = /^ {0,3}#/.test(line) ? 0 : -1;
    } else if (from === undefined && line.trim() !== "" && ++shown > keptLines) from = i;
  }
  close(lastText(lines, lines.length - 1));
  return spans;
}

/** The last line that is not blank: blank lines before a heading stay, they set it apart. */
function lastText(lines: readonly string[], from: number): number {
  let line = from;
  while (line > 0 && lines[line]?.trim() === "") line--;
  return line;
}

/** A place behind a line, which is part of the fold; its number serves as index. */
const at = (line: number): Position => ({ index: line, line, column: 1 });
