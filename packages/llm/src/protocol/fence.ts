/** Where in a text something stands: in which fence, below which line, and behind what on its own line. */
export interface Place {
  /** What opened the fence; "" for none. */
  fence: string;
  above: string | undefined;
  line: string;
}
export const beginningOfText: Place = { fence: "", above: undefined, line: "" };

/** Where the next word stands. */
export function placeAfter({ fence, above, line }: Place, text: string): Place {
  const lines = (line + text).split("\n");
  const last = lines.pop() ?? "";
  return lines.length === 0
    ? { fence, above, line: last }
    : { fence: lines.reduce(fenceBehind, fence), above: lines.at(-1), line: last };
}

/** The fence that is open behind a line, by what opened it; "" for none. */
export function fenceBehind(fence: string, line: string): string {
  const [, mark = "", behind = ""] = /^\s{0,12}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (mark === "") return fence;
  if (fence === "") return mark;
  return mark.startsWith(fence) && behind.trim() === "" ? "" : fence;
}

/** The first line behind a place that stands outside of the fence that is open there, and of all others; "" for none. */
export function outside(fence: string, behind: string): string {
  for (let [open, at] = [fence, 0]; at <= behind.length; ) {
    const end = behind.indexOf("\n", at);
    const line = end === -1 ? behind.slice(at) : behind.slice(at, end);
    const now = fenceBehind(open, line);
    if (open === "" && now === "" && line.trim() !== "") return line;
    open = now;
    at += line.length + 1;
  }
  return "";
}
