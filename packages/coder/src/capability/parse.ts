import { isRecord, late } from "@pith/kit";
import { formats } from "../platform.ts";

const faultLine = late(() => {
  const { faultLine }: typeof import("./fault.ts") = require("./fault.ts");
  return faultLine;
});
const jsonFault = late(() => {
  const { jsonFault }: typeof import("./fault.ts") = require("./fault.ts");
  return jsonFault;
});

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

function byLines(text: string): Record<string, string> {
  const rows = text.split("\n").flatMap((line) => {
    const [, name, value = ""] = /^([\w-]+):(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value.trim().replace(/^(["'])(.*)\1$/, "$2")]];
  });
  return Object.fromEntries(rows);
}
