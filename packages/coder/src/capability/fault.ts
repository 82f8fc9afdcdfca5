import { succeeds } from "@pith/kit";

/** Characters that are parsed at most to find the faulty line of a file, because the start waits for it. */
const mostParsed = 256 * 1024;

/**
 * Returns the line on which a text stops being readable, by parsing shorter and shorter beginnings. For a long text the
 * line is approximate, found by halving.
 */
export function faultLine(text: string, read: (text: string) => unknown): number {
  const lines = text.split("\n");
  const isRead = (count: number) => succeeds(() => read(lines.slice(0, count).join("\n")));
  if (text.length * lines.length <= mostParsed) {
    for (let count = lines.length - 1; count > 0; count--) if (isRead(count)) return count + 1;
    return 1;
  }
  if (text.length > mostParsed) return 1;
  let [good, bad] = [0, lines.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isRead(middle)) good = middle;
    else bad = middle;
  }
  return good + 1;
}

/** Returns the line of the first token that JSON does not allow there. */
export function jsonFault(text: string): number {
  const open: string[] = [];
  const token = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|[-+\w.]+|[{}[\]:,]/y;
  let before = "";
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return lineAt(text, at);
    if (/^(?:\s|\/[/*])/.test(found)) continue;
    const value = /^["{[\w+-]/.test(found);
    const word = /^[\w+.-]/.test(found) && !/^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(found);
    // Two values in a row, a comma or a bracket in place of a value, or an unknown word.
    const follows = /^(?:["\w+.-]|[}\]])/.test(before);
    if (word || (value && follows) || (!value && before === ":") || (found === ":" && !before.startsWith('"')))
      return lineAt(text, at);
    if (found === "{" || found === "[") open.push(found === "{" ? "}" : "]");
    else if ((found === "}" || found === "]") && open.pop() !== found) return lineAt(text, at);
    before = found;
  }
  return lineAt(text, text.trimEnd().length);
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;
