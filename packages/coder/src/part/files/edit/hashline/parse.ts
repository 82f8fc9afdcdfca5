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

export interface Parsed {
  sections: Section[];
  warnings: string[];
}

/** Reads the input of an anchored edit: lenient where the meaning is plain, a refusal where it would be a guess. */
export function parseHashline(input: string): Result<Parsed, "edit"> {
  const state: State = { sections: [], warnings: new Set(), blanks: 0 };
  const rows = input.split("\n").map((row) => (row.endsWith("\r") ? row.slice(0, -1) : row));
  for (const [i, row] of rows.entries()) {
    const problem = take(state, row, i + 1);
    if (problem === "stop") break;
    if (problem !== undefined) return fail("edit", problem);
  }
  const problem = finish(state);
  if (problem !== undefined) return fail("edit", problem);
  if (state.sections.length === 0) return fail("edit", message.noHeader(input.trim().split("\n")[0] ?? ""));
  return ok({ sections: state.sections, warnings: [...state.warnings] });
}

interface State {
  sections: Section[];
  op?: Op | undefined;
  /** Blank rows that count only when a body row follows. */
  blanks: number;
  warnings: Set<string>;
}

/** Takes in a row; gives the problem with it, or "stop" where the input ends. */
function take(state: State, row: string, line: number): string | "stop" | undefined {
  const text = row.trim();
  if (text === "*** Begin Patch" || text === "*** End Patch") return undefined;
  if (text === "*** Abort") {
    state.warnings.add(warning.abort);
    return "stop";
  }
  const header = state.op && row.startsWith("+") ? undefined : headerOf(text, state.sections.length === 0);
  if (header) {
    const problem = finish(state);
    state.sections.push({ ...header, ops: [] });
    return problem;
  }
  const section = state.sections.at(-1);
  if (text === "" && !row.startsWith("+")) {
    state.blanks++;
    return undefined;
  }
  if (!section) return message.noHeader(row);
  if (row.startsWith("+") && state.op) return body(state, row.slice(1), line);
  const op = opOf(text, line);
  if (typeof op === "string") return `line ${line}: ${op}`;
  if (op) {
    const problem = finish(state);
    section.ops.push(op);
    state.op = op;
    return problem;
  }
  return bareRow(state, row, line);
}

function bareRow(state: State, row: string, line: number): string | undefined {
  // A header that is not quite one must not end up as text in the file.
  if (!state.op || likeHeader.test(row)) return `line ${line}: ${message.stray(row)}`;
  if (row.startsWith("-")) return minusRow(state.op, row.slice(1), line);
  if (state.op.minus) return `line ${line}: ${message.context}`;
  const problem = body(state, row, line);
  state.warnings.add(warning.bare);
  return problem;
}

/** Keeps a row of what goes: the numbers say so already, and it is compared once the lines are known. */
function minusRow(op: Op, text: string, line: number): string | undefined {
  const names = op.do === "replace" || op.do === "delete" || op.do === "replace block" || op.do === "delete block";
  if (!names) return `line ${line}: ${message.minus}`;
  op.minus = [...(op.minus ?? []), text];
  return undefined;
}

const likeHeader = /^\s*(?:(?:replace|delete)\s+(?:block\s+)?[-+]?\d+\b|insert\s+(?:before|after|head|tail)\b)/i;

function body(state: State, text: string, line: number): string | undefined {
  const { op } = state;
  if (op?.do === "delete" || op?.do === "delete block") return `line ${line}: ${message.deleteBody}`;
  if (state.blanks > 0 && op && op.rows.length > 0) {
    op.rows.push(...Array<string>(state.blanks).fill(""));
    state.warnings.add(warning.bare);
  }
  state.blanks = 0;
  op?.rows.push(text);
  return undefined;
}

/** Closes the open operation; gives the problem with one that has no rows and needs some. */
function finish(state: State): string | undefined {
  const { op } = state;
  state.op = undefined;
  state.blanks = 0;
  if (!op || op.rows.length > 0 || op.do === "delete" || op.do === "delete block") return undefined;
  const { emptyReplace, emptyBlock, emptyInsert } = message;
  const empty = op.do === "replace" ? emptyReplace : op.do === "replace block" ? emptyBlock : emptyInsert;
  return `line ${op.line}: ${empty}`;
}

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
