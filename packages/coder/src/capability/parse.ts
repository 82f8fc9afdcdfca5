import { isRecord, succeeds } from "@pith/kit";
import { formats } from "../platform.ts";

/** The front matter of a file (between `---` lines at its top), and the text below. */
export interface Front {
  fields: Readonly<Record<string, unknown>>;
  body: string;
  /** A problem and its line; `fields` has those that could be read all the same. */
  warning?: { line: number; text: string } | undefined;
}

/** Reads the front matter of a file. One that is no YAML is read line by line, as `key: value`. */
export function frontOf(text: string): Front {
  const clean = text.replace(/^\ufeff/, "");
  const [whole, inner = ""] = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(clean) ?? [];
  if (whole === undefined) return headless(clean);
  const body = clean.slice(whole.length);
  try {
    const fields = yamlOf(inner);
    if (isRecord(fields)) return { fields, body };
    if (fields === null || fields === undefined) return { fields: {}, body };
    return { fields: {}, body, warning: { line: 2, text: "its front matter has no fields" } };
  } catch {
    const line = 1 + faultLine(inner, formats.yaml);
    return {
      fields: byLines(inner),
      body,
      warning: { line, text: "its front matter is not YAML; it was read line by line" },
    };
  }
}

/** Parses YAML in which globs may stand without quotes, as some products write them. */
function yamlOf(text: string): unknown {
  try {
    return formats.yaml(text);
  } catch (error) {
    const star = /^([ \t]*(?:[\w-]+:|-)[ \t]+)(\*.*)$/gm;
    const quoted = text.replace(star, (_, key: string, value: string) => key + JSON.stringify(value.trim()));
    if (quoted === text) throw error;
    return formats.yaml(quoted);
  }
}

/** Reads a file without front matter, or with one that does not end: then it is the lines that look like fields. */
function headless(text: string): Front {
  const [whole, inner = ""] = /^---[ \t]*\r?\n((?:[\w-]+:.*(?:\r?\n|$))+)/.exec(text) ?? [];
  if (whole === undefined) return { fields: {}, body: text };
  return {
    fields: byLines(inner),
    body: text.slice(whole.length),
    warning: { line: 1, text: "its front matter does not end" },
  };
}

/** The fields of a file of data, or what is wrong with it and on which line. */
export type Data = { ok: true; value: Readonly<Record<string, unknown>> } | { ok: false; line: number; text: string };

const readers = {
  json: { read: formats.jsonc, fault: jsonFault, name: "JSON" },
  yaml: { read: formats.yaml, fault: (text: string) => faultLine(text, formats.yaml), name: "YAML" },
  toml: { read: formats.toml, fault: (text: string) => faultLine(text, formats.toml), name: "TOML" },
};

export function dataOf(text: string, format: keyof typeof readers): Data {
  const { read, fault, name } = readers[format];
  const clean = text.replace(/^\ufeff/, "");
  if (clean.trim() === "") return { ok: true, value: {} };
  try {
    const value = read(clean);
    return isRecord(value) ? { ok: true, value } : { ok: false, line: 1, text: "it has no fields" };
  } catch {
    return { ok: false, line: fault(clean), text: `it is not ${name}` };
  }
}

/** The rows of a YAML file that is a list. */
export function rowsOf(
  text: string,
): { ok: true; value: readonly unknown[] } | { ok: false; line: number; text: string } {
  try {
    const value = formats.yaml(text.replace(/^\ufeff/, "")) ?? [];
    return Array.isArray(value) ? { ok: true, value } : { ok: false, line: 1, text: "it is no list" };
  } catch {
    return { ok: false, line: faultLine(text, formats.yaml), text: "it is not YAML" };
  }
}

export const formatOf = (file: string): keyof typeof readers =>
  /\.ya?ml$/i.test(file) ? "yaml" : /\.toml$/i.test(file) ? "toml" : "json";

export const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

/** Reads a list, or words between commas. */
export function listIn(value: unknown): string[] | undefined {
  const all = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : undefined;
  return all?.flatMap((word) => textIn(word) ?? []);
}

export function textsIn(value: unknown): Record<string, string> | undefined {
  if (!isRecord(value)) return undefined;
  const rows = Object.entries(value).flatMap(([name, text]) =>
    typeof text === "string" || typeof text === "number" || typeof text === "boolean" ? [[name, String(text)]] : [],
  );
  return Object.fromEntries(rows);
}

/** Returns the names of fields that are not among those known. */
export function strange(fields: Readonly<Record<string, unknown>>, known: readonly string[]): string[] {
  const names = Object.keys(fields).filter((name) => !known.includes(name));
  const shown = names.slice(0, 20).map((name) => name.slice(0, 60).toWellFormed());
  return names.length > shown.length ? [...shown, `and ${names.length - shown.length} more`] : shown;
}

/** Reads a description as one line of at most 1024 characters. */
export const shortIn = (value: unknown): string | undefined =>
  textIn(value)?.replace(/\s+/g, " ").slice(0, 1024).toWellFormed();

/** Characters that are parsed at most to find the faulty line of a file, because the start waits for it. */
const mostParsed = 256 * 1024;

/**
 * Returns the line on which a text stops being readable, by parsing shorter and shorter beginnings. For a long text the
 * line is approximate, found by halving.
 */
function faultLine(text: string, read: (text: string) => unknown): number {
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
function jsonFault(text: string): number {
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

function byLines(text: string): Record<string, string> {
  const rows = text.split("\n").flatMap((line) => {
    const [, name, value = ""] = /^([\w-]+):(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value.trim().replace(/^(["'])(.*)\1$/, "$2")]];
  });
  return Object.fromEntries(rows);
}
