/** Where in a text something stands: in which fence, below which line, and behind what on its own line. */
export interface TextPosition {
  /** What opened the fence; "" for none. */
  fence: string;
  above: string | undefined;
  line: string;
}
export const startOfText: TextPosition = { fence: "", above: undefined, line: "" };

/** Where the next word stands. */
export function positionAfter({ fence, above, line }: TextPosition, text: string): TextPosition {
  const all = line + text;
  const last = all.lastIndexOf("\n");
  if (last === -1) return { fence, above, line: all };
  let open = fence;
  for (let at = indexOf(all, 0); at !== -1 && at < last; ) {
    const end = all.indexOf("\n", at);
    open = fenceAfter(open, all.slice(all.lastIndexOf("\n", at) + 1, end));
    at = indexOf(all, end);
  }
  const before = last === 0 ? 0 : all.lastIndexOf("\n", last - 1) + 1;
  return { fence: open, above: all.slice(before, last), line: all.slice(last + 1) };
}

/** Where the next sign of a fence stands. */
function indexOf(text: string, from: number): number {
  sign.lastIndex = from;
  return sign.exec(text)?.index ?? -1;
}
const sign = /```|~~~/g;

/** The fence that is open behind a line, by what opened it; "" for none. */
export function fenceAfter(fence: string, line: string): string {
  const [, mark = "", behind = ""] = /^\s{0,12}(`{3,}|~{3,})([^\n]*)$/.exec(line) ?? [];
  if (mark === "") return fence;
  if (fence === "") return mark;
  return mark.startsWith(fence) && behind.trim() === "" ? "" : fence;
}

/**
 * The first line behind a place that stands outside of the fence that is open there, and of all others; in a fence that
 * nothing ends, the first line at all. "" for none.
 */
export function firstLineOutside(fence: string, behind: string): string {
  let [open, first, isEnded] = [fence, "", fence === ""];
  for (let at = 0; at <= behind.length; ) {
    const end = behind.indexOf("\n", at);
    const line = end === -1 ? behind.slice(at) : behind.slice(at, end);
    const now = fenceAfter(open, line);
    if (open === "" && now === "" && line.trim() !== "") return line;
    if (first === "") first = line.trim();
    isEnded ||= now === "";
    open = now;
    at += line.length + 1;
  }
  return isEnded ? "" : first;
}
