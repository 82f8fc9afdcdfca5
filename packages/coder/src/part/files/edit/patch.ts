import { fail, ok, type Result } from "@pith/kit";
import { type Change, type LineOp, lineChanges } from "../../../edit/text/change.ts";
import { Lines } from "../../../edit/text/line.ts";
import { loosely, nearestText } from "../../../edit/text/match.ts";
import { type DiffRow, oldOf, placeRows } from "../../../edit/text/row.ts";

interface Hunk {
  /** Line of the diff where it begins. */
  line: number;
  /** Rows still to come, as its header says, if it does. */
  left: { old: number; new: number } | undefined;
  /** Line of the file where the old lines begin, as the diff says, if it does. */
  at: number | undefined;
  rows: DiffRow[];
  /** The side on which the last line has no line end. */
  bare: "new" | "old" | "both" | undefined;
}

export interface Patched {
  changes: Change[];
  warnings: string[];
  /** The diff says that the file goes. */
  removes: boolean;
}

/**
 * Compiles a unified diff of one file; `text` is undefined where there is none. Its line numbers are a hint: the old
 * lines must stand there, or in exactly one other place.
 */
export function planPatch(path: string, text: string | undefined, diff: string): Result<Patched, "edit"> {
  const parsed = parse(diff);
  if (!parsed.ok) return parsed;
  const { hunks, from, to, asides } = parsed.value;
  if (text === undefined && from !== "/dev/null")
    return fail("edit", `${path} does not exist. Use write to make a new file.`);
  if (text && from === "/dev/null")
    return fail("edit", `The diff makes a new file, but ${path} exists already. Nothing was changed.`);
  const lines = new Lines(text ?? "");
  const ops: LineOp[] = [];
  const warnings: string[] = [];
  let free = 1;
  let bare: Hunk["bare"];
  for (const hunk of hunks) {
    const old = oldOf(hunk.rows);
    const spot = spotOf(path, lines, hunk, old, free);
    if (!spot.ok) return spot;
    const named = `The hunk on line ${hunk.line} of the diff names line ${hunk.at}`;
    if (hunk.at !== undefined && hunk.at !== spot.value)
      warnings.push(`${named}; its lines stand at line ${spot.value}.`);
    const placed = placeRows(path, lines, hunk.rows, spot.value);
    ops.push(...placed.ops);
    warnings.push(...placed.warnings);
    free = spot.value + old.length;
    if (free > lines.count) bare = hunk.bare;
  }
  if (asides.length > 0) warnings.push(`Only the content was changed; left out: ${asides.join(", ")}.`);
  return ok({ changes: withFinalEnd(lines, lineChanges(lines, ops), bare), warnings, removes: to === "/dev/null" });
}

interface Diff {
  hunks: Hunk[];
  /** The names of the old and the new file. */
  from: string | undefined;
  to: string | undefined;
  /** Rows that ask for more than a change of the content: a rename, a mode. */
  asides: string[];
}

function parse(diff: string): Result<Diff, "edit"> {
  const rows = diff.replaceAll("\r\n", "\n").split("\n");
  if (rows.at(-1) === "") rows.pop();
  const read: Diff = { hunks: [], from: undefined, to: undefined, asides: [] };
  for (const [i, row] of rows.entries()) {
    const problem = take(read, row, i + 1);
    if (problem) return fail("edit", `line ${i + 1} of the diff ${problem}: ${JSON.stringify(row)}.`);
  }
  if (read.hunks.length === 0) return fail("edit", "The diff has no hunk. A hunk begins with @@ -N,M +N,M @@.");
  const empty = read.hunks.find((hunk) => hunk.rows.every((row) => row.sign === " "));
  if (empty) return fail("edit", `The hunk on line ${empty.line} of the diff changes nothing.`);
  return ok(read);
}

/** Takes in a row; gives the problem with it, if any. */
function take(read: Diff, row: string, line: number): string | undefined {
  const hunk = read.hunks.at(-1);
  const full = hunk?.left !== undefined && hunk.left.old <= 0 && hunk.left.new <= 0;
  const next = headOf(row, line);
  if (next && (!hunk?.left || full || next.left)) {
    read.hunks.push(next);
    return undefined;
  }
  // Rows around the hunks: names, modes, the words of a mail.
  if (!hunk || (full && /^(?:diff |--- |\+\+\+ |index |Index: |-- ?$|\s*$)/.test(row))) return around(read, row);
  return addRow(hunk, row) || full ? undefined : "begins neither with a space, nor with -, nor with +";
}

function headOf(row: string, line: number): Hunk | undefined {
  const head = /^@@(?: -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))?)?.*$/.exec(row);
  if (!head) return undefined;
  const [, at, old = "1", now = "1"] = head;
  const hunk = { line, left: undefined, at: undefined, rows: [], bare: undefined };
  if (at === undefined) return hunk;
  return { ...hunk, left: { old: Number(old), new: Number(now) }, at: Number(at) + (old === "0" ? 1 : 0) };
}

function around(read: Diff, row: string): string | undefined {
  const name = /^(---|\+\+\+) ([^\t]+?)\s*(?:\t.*)?$/.exec(row);
  if (name && read.hunks.length > 0) return "begins another file; give each file a call of its own";
  if (name?.[1] === "---") read.from = name[2];
  else if (name) read.to = name[2];
  else if (read.hunks.length === 0 && /^[-+](?!--)/.test(row) && read.from !== undefined)
    return "stands before the first hunk (@@ -N,M +N,M @@)";
  if (/^(?:rename (?:from|to)|copy (?:from|to)|old mode|new mode) /.test(row)) read.asides.push(row);
  return undefined;
}

/** Adds a row to a hunk; false where it is none of one. */
function addRow(hunk: Hunk, row: string): boolean {
  if (row.startsWith("\\")) {
    hunk.bare = bareAfter(hunk);
    return true;
  }
  const sign = row === "" ? " " : row[0];
  if (sign !== " " && sign !== "-" && sign !== "+") return false;
  hunk.rows.push({ sign, text: row.slice(1) });
  if (hunk.left && sign !== "+") hunk.left.old--;
  if (hunk.left && sign !== "-") hunk.left.new--;
  return true;
}

function bareAfter({ rows, bare }: Hunk): Hunk["bare"] {
  const side = rows.at(-1)?.sign === "-" ? "old" : rows.at(-1)?.sign === "+" ? "new" : "both";
  return bare && bare !== side ? "both" : side;
}

function spotOf(path: string, lines: Lines, hunk: Hunk, old: readonly string[], free: number): Result<number, "edit"> {
  const fits = (at: number) => old.every((text, i) => at + i <= lines.count && lines.at(at + i) === text);
  const name = `hunk on line ${hunk.line} of the diff`;
  if (old.length === 0) {
    if (hunk.at === undefined && lines.count > 0) {
      const vague = `The ${name} only adds lines and does not say where`;
      return fail("edit", `${vague}. Give it context lines or line numbers.`);
    }
    const at = hunk.at ?? 1;
    return at >= free && at <= lines.count + 1
      ? ok(at)
      : fail("edit", `There is no line ${at}: the file ends with line ${lines.count}`);
  }
  if (hunk.at !== undefined && hunk.at >= free && fits(hunk.at)) return ok(hunk.at);
  const spots: number[] = [];
  for (let at = free; at + old.length - 1 <= lines.count; at++) if (fits(at)) spots.push(at);
  const spot = spots[0];
  if (spots.length > 1) {
    const places = `${spots.length} times in ${path} (lines ${spots.slice(0, 8).join(", ")})`;
    return fail("edit", `The lines of the ${name} stand ${places}, and not at line ${hunk.at ?? "?"}. Add context.`);
  }
  if (spot !== undefined) return ok(spot);
  const blank = old.every((text) => text.trim() === "");
  const [loose, ...others] = blank ? [] : loosely(lines, old).filter((at) => at >= free);
  if (loose !== undefined && others.length === 0) return ok(loose);
  return fail("edit", `The lines of the ${name} are not in ${path}.${nearestText(lines, old, "the diff")}`);
}

/** The newline at the very end, where the diff speaks of it and the file is otherwise. */
function withFinalEnd(lines: Lines, changes: Change[], bare: Hunk["bare"]): Change[] {
  const eol = lines.eol(lines.count);
  const end = lines.text.length;
  const last = changes.at(-1);
  const allGone = last?.start === 0 && last.end === end && last.text === "";
  if (bare === "old" && eol === "" && lines.count > 0 && !allGone)
    return [...changes, { start: end, end, text: lines.style }];
  if (bare !== "new" || eol === "") return changes;
  if (last?.end !== end) return [...changes, { start: end - eol.length, end, text: "" }];
  return [
    ...changes.slice(0, -1),
    { ...last, text: last.text.endsWith(eol) ? last.text.slice(0, -eol.length) : last.text },
  ];
}
