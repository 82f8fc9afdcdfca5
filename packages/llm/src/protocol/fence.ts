/** A position in a text: the open fence, the line above, and the current line so far. */
export interface TextPosition {
  /** Opening marks of the fence; "" for none. */
  fence: string;
  above: string | undefined;
  line: string;
}
export const startOfText: TextPosition = { fence: "", above: undefined, line: "" };

/** The position after `text`. */
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

/** Index of the next fence mark. */
function indexOf(text: string, from: number): number {
  sign.lastIndex = from;
  return sign.exec(text)?.index ?? -1;
}
const sign = /```|~~~/g;

/** The fence that is open after a line; "" for none. */
export function fenceAfter(fence: string, line: string): string {
  const [, mark = "", behind = ""] = /^\s{0,12}(`{3,}|~{3,})([^\n]*)$/.exec(line) ?? [];
  if (mark === "") return fence;
  if (fence === "") return mark;
  return mark.startsWith(fence) && behind.trim() === "" ? "" : fence;
}

/**
 * The first line outside of all fences after a position; if nothing closes the open fence, the first line at all. ""
 * for none.
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
