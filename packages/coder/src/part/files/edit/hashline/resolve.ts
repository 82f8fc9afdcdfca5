import { blockAt, languageOf, openLanguage } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";
import type { AnchoredOp } from "../../../../edit/text/carry.ts";
import { type Lines, plainEnds } from "../../../../edit/text/line.ts";
import { withoutNumbers } from "../../numbers.ts";
import { message, warning } from "./message.ts";
import { isBlock, type Op } from "./parse.ts";

/** The lines of the syntax block that begins on a line, if one does. */
export type BlockAt = (line: number) => { from: number; to: number } | undefined;

/** Finds blocks by the grammar of the file's language; undefined where that is not known. */
export async function openBlocks(path: string, text: string): Promise<BlockAt | undefined> {
  const name = languageOf(path, text);
  if (!name) return undefined;
  const language = await openLanguage(name);
  const plain = plainEnds(text);
  return (line) => blockAt(plain, language, line);
}

/** An operation with its lines known. */
export interface Resolved extends AnchoredOp {
  /** Line of the input. */
  line: number;
}

export interface ResolvedOps {
  ops: Resolved[];
  /** The lines that block operations were resolved to, for the model to check. */
  echoes: string[];
  /** Warnings about rows that were not taken as they were written. */
  warnings: string[];
}

/** Finds the lines of every operation, and refuses lines that do not exist and operations that meet. */
export function resolveOps(
  lines: Lines,
  wanted: readonly Op[],
  blockAt: BlockAt | undefined,
): Result<ResolvedOps, "edit"> {
  const ops: Resolved[] = [];
  const echoes: string[] = [];
  const warnings: string[] = [];
  for (const op of wanted) {
    const resolved = resolveOp(lines, op, blockAt);
    if (!resolved.ok) return resolved;
    const rows = withoutNumbers(resolved.value.rows, resolved.value.from, (n) => lines.at(n));
    ops.push(rows ? { ...resolved.value, rows } : resolved.value);
    if (rows) warnings.push(`line ${op.line}: ${warning.numbers}`);
    if (isBlock(op)) {
      const { from, to } = resolved.value;
      echoes.push(`${op.do} ${op.at} → resolved lines ${from}-${to} (${to - from + 1} lines)`);
    }
  }
  const clash = firstClash(ops);
  return clash ? fail("edit", clash) : ok({ ops, echoes, warnings });
}

function resolveOp(lines: Lines, op: Op, blockAt: BlockAt | undefined): Result<Resolved, "edit"> {
  const resolved = spanOf(lines, op, blockAt);
  if (!resolved.ok || !op.minus) return resolved;
  const { from, to } = resolved.value;
  const same = op.minus.length === to - from + 1 && op.minus.every((row, i) => row === lines.at(from + i));
  return same
    ? resolved
    : fail("edit", `line ${op.line}: ${message.notMinus(from, to)}\n\n${around(lines, [from, to])}`);
}

function spanOf(lines: Lines, op: Op, blockAt: BlockAt | undefined): Result<Resolved, "edit"> {
  const { line, rows } = op;
  const anchors = anchorsOf(op);
  const missing = anchors.find((n) => n < 1 || n > lines.count);
  if (missing !== undefined) return fail("edit", message.noLine(missing, lines.count));
  if (isBlock(op)) {
    const span = blockAt?.(op.at);
    const verb = op.do === "replace block" ? "replace" : "delete";
    if (span) return ok({ ...span, rows, line, anchors: [span.from, span.to] });
    return fail("edit", `line ${line}: ${message.noBlock(verb, op.at)}\n\n${around(lines, [op.at])}`);
  }
  if ("from" in op) return ok({ from: op.from, to: op.to, rows, line, anchors });
  if ("at" in op) {
    const from = op.do === "before" ? op.at : op.at + 1;
    return ok({ from, to: from - 1, rows, line, anchors });
  }
  const to = op.do === "head" ? 0 : lines.count;
  return ok({ from: to + 1, to, rows, line, anchors, edge: op.do });
}

export const anchorsOf = (op: Op): number[] => ("from" in op ? [op.from, op.to] : "at" in op ? [op.at] : []);

/** The problem of two ranges that share a line, an insertion into a range, or the same insertion twice. */
function firstClash(ops: readonly Resolved[]): string | undefined {
  const sorted = ops.toSorted((a, b) => a.from - b.from || a.to - b.to);
  let widest: Resolved | undefined;
  for (const op of sorted) {
    if (widest && meets(widest, op)) {
      const [first, second] = widest.line < op.line ? [widest, op] : [op, widest];
      const isTwice = op.to < op.from && widest.to < widest.from;
      const why = isTwice ? message.twice(first.line) : message.taken(Math.max(op.from, widest.from), first.line);
      return `line ${second.line}: ${why}`;
    }
    if (!widest || op.to >= widest.to) widest = op;
  }
  return undefined;
}

function meets(a: Resolved, b: Resolved): boolean {
  const [emptyA, emptyB] = [a.to < a.from, b.to < b.from];
  if (emptyA && emptyB) return a.from === b.from && a.anchors[0] === b.anchors[0] && a.edge === b.edge;
  // An insertion meets a range when it falls between two of its lines.
  return emptyB ? b.from > a.from && b.from <= a.to : !emptyA && b.from <= a.to;
}

/** Lines shown around one. */
export const margin = 2;

/** Numbered rows around lines, the lines themselves marked. */
export function around(lines: Lines, marked: readonly number[]): string {
  const near = marked.flatMap((n) => Array.from({ length: 2 * margin + 1 }, (_, i) => n - margin + i));
  const wanted = [...new Set(near)].filter((n) => n >= 1 && n <= lines.count).sort((a, b) => a - b);
  const rows = wanted.flatMap((n, i) => {
    const row = `${marked.includes(n) ? "*" : " "}${n}:${lines.at(n).slice(0, 300)}`;
    return i > 0 && n > (wanted[i - 1] ?? 0) + 1 ? ["…", row] : [row];
  });
  return rows.join("\n");
}
