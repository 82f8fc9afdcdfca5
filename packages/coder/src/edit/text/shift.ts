import type { Shift } from "../../snapshot/seen.ts";
import { type Change, inOrder, reach, spliceText } from "./change.ts";
import { Lines } from "./line.ts";

/**
 * The lines that gave way to others, as the changes were asked for. A diff would not do: where lines are equal it may
 * name another of them, and an older line number would be carried to the wrong one.
 */
export function shiftsOf(lines: Lines, changes: readonly Change[]): Shift[] {
  const groups: { first: number; last: number; changes: Change[] }[] = [];
  for (const change of inOrder(changes)) {
    const [first, last] = touched(lines, change);
    const open = groups.at(-1);
    if (open && first <= open.last) {
      open.last = Math.max(open.last, last);
      open.changes.push(change);
    } else groups.push({ first, last, changes: [change] });
  }
  return groups.map(({ first, last, changes: inGroup }) => {
    const [start, end] = [lines.start(first), lines.start(last + 1)];
    const text = spliceText(
      lines.text.slice(start, end),
      inGroup.map((change) => ({ start: change.start - start, end: change.end - start, text: change.text })),
    );
    // After a last line without a newline the new lines begin with its newline.
    const added =
      first > lines.count && lines.count > 0 && lines.eol(lines.count) === ""
        ? text.replace(/^(?:\r\n|\r|\n)/, "")
        : text;
    return { start: first, removed: last - first + 1, added: new Lines(added).count };
  });
}

/** The first and last line that a change touches; an insertion between two lines touches neither. */
function touched(lines: Lines, change: Change): [number, number] {
  const { start, end } = reach(lines.text, change);
  if (end > start) return [lines.of(start), lines.of(end - 1)];
  if (start === lines.text.length) return [lines.count + 1, lines.count];
  const line = lines.of(start);
  return lines.start(line) === start ? [line, line - 1] : [line, line];
}
