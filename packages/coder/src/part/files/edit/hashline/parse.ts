import { fail, ok, type Result } from "@pith/kit";
import { readTagHeader } from "../../../../snapshot/header.ts";
import { message, warning } from "./message.ts";

/** A file of an edit, with the operations on it. */
export interface Section {
  path: string;
  /** Undefined only where nothing is anchored: a file that does not exist yet. */
  tag: string | undefined;
  ops: Op[];
}

/**
 * An operation. All numbers are lines of the content that the tag stands for; `line` is its own in the input, `minus`
 * holds the lines as the input has them.
 */
export type Op = { line: number; rows: string[]; minus?: string[] } & (
  | { do: "replace" | "delete"; from: number; to: number }
  | { do: "replace block" | "delete block"; at: number }
  | { do: "before" | "after"; at: number }
  | { do: "head" | "tail" }
);

/** True for an operation on a block, of which the lines are still to be found. */
export const isBlock = (op: Op): op is Op & { do: "replace block" | "delete block" } => op.do.endsWith("block");

const isDeletion = (op: Op): boolean => op.do === "delete" || op.do === "delete block";

/** Reads the input of an anchored edit: lenient where the meaning is plain, a refusal where it would be a guess. */
export function parseHashline(input: string): Result<{ sections: Section[]; warnings: string[] }, "edit"> {
  const reader = new HashlineReader();
  const rows = input.split("\n").map((row) => (row.endsWith("\r") ? row.slice(0, -1) : row));
  for (const [i, row] of rows.entries()) {
    const problem = reader.take(row, i + 1);
    if (problem === "stop") break;
    if (problem !== undefined) return fail("edit", problem);
  }
  const problem = reader.finish();
  if (problem !== undefined) return fail("edit", problem);
  const { sections, warnings } = reader;
  if (sections.length === 0) return fail("edit", message.noHeader(input.trim().split("\n")[0] ?? ""));
  return ok({ sections, warnings: [...warnings] });
}

class HashlineReader {
  readonly sections: Section[] = [];
  readonly warnings = new Set<string>();
  #op: Op | undefined;
  /** Blank rows, which count only when a body row follows. */
  #blanks = 0;

  /** Takes in a row; gives the problem with it, or "stop" where the input ends. */
  take(row: string, line: number): string | "stop" | undefined {
    const text = row.trim();
    if (text === "*** Begin Patch" || text === "*** End Patch") return undefined;
    if (text === "*** Abort") {
      this.warnings.add(warning.abort);
      return "stop";
    }
    const isBody = row.startsWith("+") && this.#op !== undefined;
    const header = isBody ? undefined : headerOf(text, this.sections.length === 0);
    if (header) {
      this.sections.push({ ...header, ops: [] });
      return this.finish();
    }
    const section = this.sections.at(-1);
    if (text === "" && !row.startsWith("+")) {
      this.#blanks++;
      return undefined;
    }
    if (!section) return message.noHeader(row);
    if (isBody) return this.#body(row.slice(1), line);
    const op = opOf(text, line);
    if (!op) return this.#bareRow(row, line);
    if (typeof op === "string") return `line ${line}: ${op}`;
    const problem = this.finish();
    section.ops.push(op);
    this.#op = op;
    return problem;
  }

  #bareRow(row: string, line: number): string | undefined {
    const op = this.#op;
    // A header that is not quite one must not end up as text in the file.
    if (!op || likeHeader.test(row)) return `line ${line}: ${message.stray(row)}`;
    if (row.startsWith("-")) {
      // The numbers say already what goes: the row is compared once the lines are known.
      if (op.do !== "replace" && !isBlock(op) && !isDeletion(op)) return `line ${line}: ${message.minus}`;
      op.minus = [...(op.minus ?? []), row.slice(1)];
      return undefined;
    }
    if (op.minus) return `line ${line}: ${message.context}`;
    this.warnings.add(warning.bare);
    return this.#body(row, line);
  }

  #body(text: string, line: number): string | undefined {
    const op = this.#op;
    if (!op || isDeletion(op)) return `line ${line}: ${message.deleteBody}`;
    if (this.#blanks > 0 && op.rows.length > 0) {
      op.rows.push(...Array<string>(this.#blanks).fill(""));
      this.warnings.add(warning.bare);
    }
    this.#blanks = 0;
    op.rows.push(text);
    return undefined;
  }

  /** Closes the open operation; gives the problem with one that has no rows and needs some. */
  finish(): string | undefined {
    const op = this.#op;
    this.#op = undefined;
    this.#blanks = 0;
    if (!op || op.rows.length > 0 || isDeletion(op)) return undefined;
    const { emptyReplace, emptyBlock, emptyInsert } = message;
    const empty = op.do === "replace" ? emptyReplace : op.do === "replace block" ? emptyBlock : emptyInsert;
    return `line ${op.line}: ${empty}`;
  }
}

const likeHeader = /^\s*(?:(?:replace|delete)\s+(?:block\s+)?[-+]?\d+\b|insert\s+(?:before|after|head|tail)\b)/i;

/**
 * Reads `[path#TAG]` or `¶path#TAG`, also with remains of other formats around it; without a tag only where nothing
 * else can be meant.
 */
function headerOf(text: string, first: boolean): Omit<Section, "ops"> | undefined {
  const clean = text
    .replace(/^(?:\*{3}\s*)+/, "")
    .replace(/(?:\s*\*{3})+$/, "")
    .replace(/^([[¶]?)\s*(?:Update|Add) File:\s*/, "$1")
    .replace(/^(?:Update|Add) File:\s*/, "");
  const match =
    readTagHeader(clean) ?? readTagHeader(clean.replace(/^([[¶])?/, (_, mark: string | undefined) => mark ?? "¶"));
  const marked = clean.startsWith("[") || clean.startsWith("¶") || clean !== text;
  if (match && marked) return match;
  const untagged =
    /^¶\s*(.+)$/.exec(clean)?.[1] ?? (first && clean === text ? /^\[(.+)\]$/.exec(text)?.[1] : undefined);
  return untagged === undefined
    ? undefined
    : { path: untagged.replace(/#[0-9A-Za-z]*\]?$/, "") || untagged, tag: undefined };
}

const number = String.raw`(\d+)`;
const range = String.raw`${number}(?:\s*(?:\.\.\.?|-|–|…|\s)\s*${number})?`;
const forms: readonly [form: string, make: (match: RegExpExecArray, line: number) => Op | string][] = [
  [`replace\\s+${range}\\s*:?`, ([, a, b = a], line) => ranged("replace", a, b, line)],
  [`delete\\s+${range}`, ([, a, b = a], line) => ranged("delete", a, b, line)],
  [`replace\\s+block\\s+${number}\\s*:?`, ([, n], line) => ({ do: "replace block", at: Number(n), line, rows: [] })],
  [`delete\\s+block\\s+${number}`, ([, n], line) => ({ do: "delete block", at: Number(n), line, rows: [] })],
  [`delete\\s+(?:block\\s+)?${range}\\s*:`, ([row]) => message.deleteColon(row)],
  [
    `insert\\s+(before|after)\\s+${number}\\s*:?`,
    ([, where, n], line) => ({ do: where === "before" ? where : "after", at: Number(n), line, rows: [] }),
  ],
  ["insert\\s+(head|tail)\\s*:?", ([, where], line) => ({ do: where === "head" ? where : "tail", line, rows: [] })],
  ["\\*\\*\\*\\s*(?:Update File|Add File|Delete File|Move to)\\b.*", ([row]) => message.sentinel(row)],
  ["@@.*", ([row]) => message.diffHead(row)],
  [`${range}\\s*:?`, ([, a = "", b]) => (b === undefined ? message.bareNumber(a) : message.bareRange(a, b))],
];
const readers = forms.map(([form, make]) => ({ form: new RegExp(`^${form}$`), make }));

/** The operation a row stands for, the problem with a row that looks like one, or undefined for any other row. */
function opOf(text: string, line: number): Op | string | undefined {
  for (const { form, make } of readers) {
    const match = form.exec(text);
    if (match) return make(match, line);
  }
  return undefined;
}

function ranged(verb: "replace" | "delete", a: string | undefined, b: string | undefined, line: number): Op | string {
  const [from, to] = [Number(a), Number(b)];
  return to < from ? message.backwards(from, to) : { do: verb, from, to, line, rows: [] };
}
