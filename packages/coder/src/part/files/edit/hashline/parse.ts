import { fail, ok, type Result } from "@pith/kit";
import { readTagHeader } from "../../../../snapshot/header.ts";
import { message, warning } from "./message.ts";

/** One file of an edit, with what is to be done to it. */
export interface Section {
  path: string;
  /** Undefined only where nothing is anchored: a file that does not exist yet. */
  tag: string | undefined;
  ops: Op[];
}

/**
 * All numbers are lines of the content that the tag stands for. `line` is where the operation stands in the input,
 * `minus` what it says those lines are.
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

/**
 * Reads the input of an anchored edit. It is lenient where the meaning is plain, and refuses where it would be a guess.
 */
export function parseHashline(input: string): Result<Parsed, "edit"> {
  const rows = input.split("\n").map((row) => (row.endsWith("\r") ? row.slice(0, -1) : row));
  const state: State = { sections: [], warnings: new Set(), blanks: 0 };
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

/** Takes in one row; says what is wrong with it, or that the input ends here. */
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

/** A row of what goes says what the numbers say already; whether it is right is seen when the lines are known. */
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

const needs: Partial<Record<Op["do"], string>> = {
  replace: message.emptyReplace,
  "replace block": message.emptyBlock,
  before: message.emptyInsert,
  after: message.emptyInsert,
  head: message.emptyInsert,
  tail: message.emptyInsert,
};

/** Closes the open operation, and the open section when it has none. */
function finish(state: State): string | undefined {
  const { op } = state;
  state.op = undefined;
  state.blanks = 0;
  const need = op && op.rows.length === 0 ? needs[op.do] : undefined;
  return op && need ? `line ${op.line}: ${need}` : undefined;
}

/**
 * `[path#TAG]`, `¶path#TAG`, the same with remains of other formats around it; without a tag only where nothing else
 * can be meant.
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
const pair = String.raw`${number}\s*(?:\.\.\.?|-|–|…|\s)\s*${number}`;
const forms: readonly [RegExp, (match: RegExpExecArray, line: number) => Op | string][] = [
  [new RegExp(`^replace\\s+${pair}\\s*:?$`), ([, a, b], line) => ranged("replace", a, b, line)],
  [new RegExp(`^replace\\s+${number}\\s*:?$`), ([, a], line) => ranged("replace", a, a, line)],
  [
    new RegExp(`^replace\\s+block\\s+${number}\\s*:?$`),
    ([, a], line) => ({ do: "replace block", at: Number(a), line, rows: [] }),
  ],
  [new RegExp(`^delete\\s+${pair}$`), ([, a, b], line) => ranged("delete", a, b, line)],
  [new RegExp(`^delete\\s+${number}$`), ([, a], line) => ranged("delete", a, a, line)],
  [
    new RegExp(`^delete\\s+block\\s+${number}$`),
    ([, a], line) => ({ do: "delete block", at: Number(a), line, rows: [] }),
  ],
  [new RegExp(`^delete\\s+(?:block\\s+${number}|${pair}|${number})\\s*:$`), ([row]) => message.deleteColon(row)],
  [
    new RegExp(`^insert\\s+before\\s+${number}\\s*:?$`),
    ([, a], line) => ({ do: "before", at: Number(a), line, rows: [] }),
  ],
  [
    new RegExp(`^insert\\s+after\\s+${number}\\s*:?$`),
    ([, a], line) => ({ do: "after", at: Number(a), line, rows: [] }),
  ],
  [/^insert\s+head\s*:?$/, (_, line) => ({ do: "head", line, rows: [] })],
  [/^insert\s+tail\s*:?$/, (_, line) => ({ do: "tail", line, rows: [] })],
  [/^\*\*\*\s*(?:Update File|Add File|Delete File|Move to)\b.*$/, ([row]) => message.sentinel(row)],
  [/^@@.*$/, ([row]) => message.diffHead(row)],
  [new RegExp(`^${number}\\s*:?$`), ([, a]) => message.bareNumber(a ?? "")],
  [new RegExp(`^${pair}\\s*:?$`), ([, a, b]) => message.bareRange(a ?? "", b ?? "")],
];

/** The operation a row stands for, what is wrong with a row that looks like one, or nothing for any other row. */
function opOf(text: string, line: number): Op | string | undefined {
  for (const [form, make] of forms) {
    const match = form.exec(text);
    if (match) return make(match, line);
  }
  return undefined;
}

function ranged(verb: "replace" | "delete", a: string | undefined, b: string | undefined, line: number): Op | string {
  const [from, to] = [Number(a), Number(b)];
  return to < from ? message.backwards(from, to) : { do: verb, from, to, line, rows: [] };
}
