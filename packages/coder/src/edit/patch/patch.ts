import { fail, ok, type Result } from "@pith/kit";
import { Lines } from "../line.ts";
import { type Change, type LineOp, lineChanges } from "../plan.ts";
import { type Row, rowOps } from "../row.ts";

interface Hunk {
  /** Line of the diff where it begins. */
  line: number;
  /** Where the old lines are said to begin; undefined when the diff does not say. */
  at: number | undefined;
  rows: Row[];
  /** The last new line has no line end. */
  bare: "new" | "old" | "both" | undefined;
}

export interface Patched {
  changes: Change[];
  warnings: string[];
}

/** Compiles a unified diff of one file. Its line numbers are a hint: the old lines must stand there, or in exactly one other place. */
export function planPatch(path: string, text: string, diff: string): Result<Patched, "edit"> {
  const hunks = parse(diff);
  if (!hunks.ok) return hunks;
  const lines = new Lines(text);
  const ops: LineOp[] = [];
  const warnings: string[] = [];
  let free = 1;
  let bare: Hunk["bare"];
  for (const hunk of hunks.value) {
    const old = hunk.rows.filter((row) => row.sign !== "+").map((row) => row.text);
    const spot = place(path, lines, hunk, old, free);
    if (!spot.ok) return spot;
    if (hunk.at !== undefined && hunk.at !== spot.value)
      warnings.push(`The hunk on line ${hunk.line} of the diff names line ${hunk.at}; its lines stand at line ${spot.value}.`);
    ops.push(...rowOps(hunk.rows, spot.value));
    free = spot.value + old.length;
    if (free > lines.count) bare = hunk.bare;
  }
  return ok({ changes: withFinalEnd(lines, lineChanges(lines, ops), bare), warnings });
}

function parse(diff: string): Result<Hunk[], "edit"> {
  const rows = diff.replaceAll("\r\n", "\n").split("\n");
  if (rows.at(-1) === "") rows.pop();
  const hunks: Hunk[] = [];
  for (const [i, row] of rows.entries()) {
    const problem = take(hunks, row, i + 1);
    if (problem) return fail("edit", `line ${i + 1} of the diff ${problem}: ${JSON.stringify(row)}.`);
  }
  if (hunks.length === 0) return fail("edit", "The diff has no hunk. A hunk begins with @@ -N,M +N,M @@.");
  const empty = hunks.find((hunk) => hunk.rows.every((row) => row.sign === " "));
  if (empty) return fail("edit", `The hunk on line ${empty.line} of the diff changes nothing.`);
  return ok(hunks);
}

const preamble = /^(?:---|\+\+\+|diff |index |new file|deleted file|old mode|new mode|similarity|rename |\s*$)/;

/** Adds one row to what was read so far; says what is wrong with it. */
function take(hunks: Hunk[], row: string, line: number): string | undefined {
  const head = /^@@(?: -(\d+)(?:,(\d+))? \+\d+(?:,\d+)?)?.*$/.exec(row);
  const hunk = hunks.at(-1);
  if (head) {
    hunks.push({ line, at: head[1] === undefined ? undefined : Number(head[1]) + (head[2] === "0" ? 1 : 0), rows: [], bare: undefined });
    return undefined;
  }
  if (!hunk) return preamble.test(row) ? undefined : "stands before the first hunk (@@ -N,M +N,M @@)";
  if (row.startsWith("\\")) {
    hunk.bare = bareAfter(hunk);
    return undefined;
  }
  const sign = row === "" ? " " : row[0];
  if (sign !== " " && sign !== "-" && sign !== "+") return "begins neither with a space, nor with -, nor with +";
  hunk.rows.push({ sign, text: row.slice(1) });
  return undefined;
}

function bareAfter({ rows, bare }: Hunk): Hunk["bare"] {
  const side = rows.at(-1)?.sign === "-" ? "old" : rows.at(-1)?.sign === "+" ? "new" : "both";
  return bare && bare !== side ? "both" : side;
}

function place(path: string, lines: Lines, hunk: Hunk, old: readonly string[], free: number): Result<number, "edit"> {
  const fits = (at: number) => old.every((text, i) => at + i <= lines.count && lines.at(at + i) === text);
  if (old.length === 0) {
    if (hunk.at === undefined && lines.count > 0)
      return fail("edit", `The hunk on line ${hunk.line} of the diff only adds lines and does not say where. Give it context lines or line numbers.`);
    const at = hunk.at ?? 1;
    return at >= free && at <= lines.count + 1 ? ok(at) : fail("edit", `Line ${at} does not exist (file has ${lines.count} lines)`);
  }
  if (hunk.at !== undefined && hunk.at >= free && fits(hunk.at)) return ok(hunk.at);
  const spots: number[] = [];
  for (let at = free; at + old.length - 1 <= lines.count; at++) if (fits(at)) spots.push(at);
  const spot = spots[0];
  if (spots.length > 1)
    return fail(
      "edit",
      `The lines of the hunk on line ${hunk.line} of the diff stand ${spots.length} times in ${path} (lines ${spots.slice(0, 8).join(", ")}), and not at line ${hunk.at ?? "?"}. Add context.`,
    );
  return spot === undefined ? fail("edit", `Failed to find expected lines in ${path}:\n${old.join("\n")}`) : ok(spot);
}

/** The newline at the very end, where the diff speaks of it and the file is otherwise. */
function withFinalEnd(lines: Lines, changes: Change[], bare: Hunk["bare"]): Change[] {
  const eol = lines.eol(lines.count);
  const end = lines.text.length;
  const last = changes.at(-1);
  const allGone = last?.start === 0 && last.end === end && last.text === "";
  if (bare === "old" && eol === "" && lines.count > 0 && !allGone) return [...changes, { start: end, end, text: lines.style }];
  if (bare !== "new" || eol === "") return changes;
  if (last?.end !== end) return [...changes, { start: end - eol.length, end, text: "" }];
  return [...changes.slice(0, -1), { ...last, text: last.text.endsWith(eol) ? last.text.slice(0, -eol.length) : last.text }];
}
