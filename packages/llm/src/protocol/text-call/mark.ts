import { type Dialect, dialects } from "./dialect.ts";
import { ends, plainSigns, wordsEnd } from "./end.ts";

const marksOf = (place: Dialect["place"]): readonly string[] => [
  ...new Set(dialects.flatMap((dialect) => (dialect.place === place ? dialect.marks : []))),
];
const anywhere = marksOf(undefined);
const atLine = marksOf("line");
const anyMark = new RegExp(anywhere.map(spelled).join("|"), "g");
const lineMark = new RegExp(`^[ \\t]*(?:${atLine.map(spelled).join("|")})`, "gm");
const bareStart = /^[ \t]*(?:(?:```\w*[ \t]*\n\s*)?(?:(?:\[\s*)?\{|\[\s*[A-Za-z_][\w-]*\()|```tool_code[ \t]*\n)/gm;

/** Index of the next mark of a dialect. */
export function markAt(text: string, from: number): number {
  const [one, other] = [indexOf(anyMark, text, from), indexOf(lineMark, text, from)];
  return one === -1 || other === -1 ? Math.max(one, other) : Math.min(one, other);
}

/** Index of the next line that begins JSON or a list of calls in Python. */
export const bareAt = (text: string, from: number): number => indexOf(bareStart, text, from);

export function isMarked(text: string, { marks, place }: Dialect): boolean {
  const plain = plainSigns(text.slice(0, longest + 100));
  const start = place === "line" ? plain.trimStart() : plain;
  return marks.some((mark) => start.startsWith(mark));
}

/** True when nothing in a text can be or become a call. */
export function isPlain(text: string, lineStart: boolean): boolean {
  return !mayMark.test(text) && !(lineStart && mayStartLine.test(text));
}

/** True when a text has the first sign of a mark, or ends a line; most text has neither. */
export const hasSigns = (text: string): boolean => signs.test(text);

/** Beginnings of marks of this length, as a pattern; below, of lines that may be a call. */
const startsOf = (marks: readonly string[], length: number): string =>
  [...new Set(marks.map((mark) => mark.slice(0, length)))].map(spelled).join("|");
const lineStarts = `[ \\t]*(?:[{[\`]|${startsOf(atLine, 1)})`;
const held = [...anywhere, ...ends];
const firstSigns = [...new Set(held.map(([sign]) => `\\${sign}`))].join("");
const markSigns = new RegExp(`[${firstSigns}]`);
const signs = new RegExp(`[\\n${firstSigns}]`);
const mayMark = new RegExp(`(?:${startsOf(held, 1)})$|${startsOf(held, 2)}|\\n${lineStarts}`);
const mayStartLine = new RegExp(`^${lineStarts}`);

/** Index at which a call begins, or may begin once more has come; the end of the text for none. */
export function beginning(text: string, lineStart: boolean): { from: number; sure?: boolean } {
  if (isPlain(text, lineStart)) return { from: text.length };
  const mark = markSigns.test(text) ? indexOf(anyMark, text, 0) : -1;
  const before = mark === -1 ? text : text.slice(0, mark);
  const start = lineStart ? 0 : before.indexOf("\n");
  const first = lineStart ? 0 : start + 1;
  for (let at = start === -1 ? -1 : lineAt(before, start); at !== -1; at = lineAt(before, at + 1)) {
    // Blank lines above belong to a call; a fence begins on its own line.
    const words = before.slice(first, at).trimEnd();
    const top = words === "" ? first : before.indexOf("\n", first + words.length) + 1;
    for (const from of top === at ? [at] : [top, at]) {
      const verdict = lineBeginning(before.slice(from));
      if (verdict !== "no") return { from, sure: verdict === "sure" };
    }
  }
  if (mark !== -1) return { from: wordsEnd(before), sure: true };
  const last = Math.max(text.lastIndexOf("<"), text.lastIndexOf("["));
  const begun = last !== -1 && text.length - last < longest && prefixes.held.has(plainSigns(text.slice(last)));
  return { from: wordsEnd(begun ? text.slice(0, last) : text) };
}

/** Index of the next line that may begin a call. */
function lineAt(text: string, from: number): number {
  const at = indexOf(lineSigns, text, from);
  return at === -1 || text[at] !== "\n" ? at : at + 1;
}
const lineSigns = new RegExp(`(?:^|\\n)[^\\S\\n]*(?:[{[\`]|${startsOf(atLine, 2)}|(?:${startsOf(atLine, 1)})$)`, "g");

/** Judges whether a line begins an unmarked call: JSON with the name of a tool, perhaps in a fence. */
function lineBeginning(text: string): "sure" | "maybe" | "no" {
  const line = text.trimStart();
  if (line !== "" && atLine.some((mark) => line.startsWith(mark))) return "sure";
  if (line !== "" && line.length < longest && prefixes.atLine.has(plainSigns(line))) return "maybe";
  const fence = /^[ \t]*(`{1,3})(\w*)[ \t]*(\n?)\s*/.exec(text);
  const body = fence ? text.slice(fence[0].length) : line;
  if (fence && (fence[1]?.length ?? 0) < 3) return body === "" && fence[2] === "" ? "maybe" : "no";
  if (fence && fence[3] === "") return body === "" ? "maybe" : "no";
  if (body === "" || fence?.[2] === "tool_code") return fence ? "maybe" : "no";
  if (callStart.test(body)) return "sure";
  return mayBegin(body) ? "maybe" : "no";
}

/** True for the beginning of JSON or a Python list, too short to decide. */
function mayBegin(body: string): boolean {
  if (/^\[\s*(?:[A-Za-z_][\w-]*(?:\(\s*\w*\s*)?)?$/.test(body)) return true;
  const begun = /^\[?\s*(?:\{\s*(?:"(\w*))?)?$/.exec(body);
  if (begun) return keys.some((key) => key.startsWith(begun[1] ?? ""));
  const [, key = "", value = ""] = /^\[?\s*\{\s*"(type|id|role)"\s*(?::\s*(?:"([\w-]*))?)?$/.exec(body) ?? [];
  return firsts[key]?.some((first) => first.startsWith(value)) === true;
}

/** First keys of OpenAI's objects, which in other objects mean nothing. */
const firsts: Readonly<Record<string, readonly string[]>> = {
  type: ["function"],
  id: ["call_", "chatcmpl-tool-"],
  role: ["assistant"],
};
const sure = "name tool tool_name tool_calls function function_call arguments parameters index".split(" ");
const keys = [...sure, ...Object.keys(firsts)];
const callStart = new RegExp(
  `^\\[?\\s*\\{\\s*"(?:(?:${sure.join("|")})"${Object.entries(firsts)
    .map(([key, values]) => `|${key}"\\s*:\\s*"(?:${values.join("|")})`)
    .join("")})|^\\[\\s*[A-Za-z_][\\w-]*\\(\\s*(?:\\)|[A-Za-z_]\\w*\\s*=)`,
);

/** All prefixes of marks, as a set: streamed text is looked up often. */
const prefixesOf = (marks: readonly string[]): ReadonlySet<string> =>
  new Set(marks.flatMap((mark) => Array.from(mark, (_, at) => mark.slice(0, at + 1))));
const prefixes = { held: prefixesOf(held), atLine: prefixesOf(atLine) };

const longest = Math.max(...[...held, ...atLine].map(({ length }) => length));

function spelled(mark: string): string {
  const plain = mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return plain.replace(/\\\|/g, "[|｜]").replace(/_/g, "[_▁]");
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
