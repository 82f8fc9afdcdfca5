import { fail, ok, type Result } from "@pith/kit";
import { type Change, inOrder, type LineOp, lineChanges } from "../../../edit/text/change.ts";
import { align } from "../../../edit/text/diff.ts";
import { sharedText } from "../../../edit/text/ends.ts";
import { indents } from "../../../edit/text/indent.ts";
import { Lines } from "../../../edit/text/line.ts";
import { loosely, nearestText, Plain, placesOf } from "../../../edit/text/match.ts";

export interface Replacement {
  oldText: string;
  newText: string;
  /** Replaces every place, not the only one. */
  all?: boolean | undefined;
}

export interface Replaced {
  changes: Change[];
  warnings: string[];
}

/** Compiles replacements of text: each old text must stand in the file exactly once, as it is or but for white space. */
export function planReplace(path: string, text: string, edits: readonly Replacement[]): Result<Replaced, "edit"> {
  const plain = new Plain(text);
  const lines = new Lines(text);
  const all: Change[] = [];
  const warnings: string[] = [];
  for (const [i, edit] of edits.entries()) {
    const name = edits.length === 1 ? "oldText" : `edits[${i}].oldText`;
    const planned = planReplacement({ path, name, plain, lines }, edit);
    if (!planned.ok) return planned;
    all.push(...planned.value.changes);
    warnings.push(...planned.value.warnings);
  }
  const sorted = inOrder(all);
  const clash = sorted.find((change, i) => i > 0 && change.start < (sorted[i - 1]?.end ?? 0));
  if (clash)
    return fail("edit", `Two edits of ${path} overlap at line ${lines.of(clash.start)}. Join them into one edit.`);
  return ok({ changes: sorted, warnings });
}

interface Searched {
  path: string;
  name: string;
  plain: Plain;
  lines: Lines;
}

function planReplacement(searched: Searched, { oldText, newText, all }: Replacement): Result<Replaced, "edit"> {
  const { path, name, plain, lines } = searched;
  const [wanted, fresh] = [oldText, newText].map((text) => text.replace(/\r\n?/g, "\n")) as [string, string];
  if (wanted === "") return emptyOld(searched, fresh);
  if (wanted === fresh) return fail("edit", `${name} and its newText are the same: nothing would change in ${path}.`);
  const spots = placesOf(plain.text, wanted);
  const spot = spots[0];
  if (spot === undefined) return planLoosely(searched, wanted, fresh);
  if (spots.length > 1 && !all) {
    const numbers = spots.slice(0, 8).map((at) => lines.of(plain.back(at)));
    const listed = `${numbers.join(", ")}${spots.length > 8 ? ", …" : ""}`;
    const stands = `${name} stands ${spots.length} times in ${path} (lines ${listed})`;
    return fail("edit", `${stands}. Add lines around it until it is the only one, or set all: true.`);
  }
  const chosen = all ? apart(spots, wanted.length) : [spot];
  return ok({ changes: chosen.map((at) => change(searched, at, wanted, fresh)), warnings: [] });
}

function emptyOld({ path, name, lines, plain }: Searched, fresh: string): Result<Replaced, "edit"> {
  if (plain.text !== "") return fail("edit", `${name} is empty, and ${path} is not. Give the text to replace.`);
  if (fresh === "") return fail("edit", `${path} is empty and would stay so.`);
  return ok({ changes: [{ start: 0, end: lines.text.length, text: fresh }], warnings: [] });
}

/** Only the part that differs is changed, and each line end is that of the line it takes the place of. */
function change({ plain, lines }: Searched, at: number, wanted: string, fresh: string): Change {
  const { head, tail } = sharedText(wanted, fresh);
  const start = plain.back(at + head);
  const end = plain.back(at + wanted.length - tail);
  const ends = lines.text.slice(start, end).match(/\r\n|\r|\n/g) ?? [];
  const other = ends.at(-1) || lines.eol(lines.of(start)) || lines.eol(lines.of(start) - 1) || lines.style;
  let i = 0;
  return { start, end, text: fresh.slice(head, fresh.length - tail).replaceAll("\n", () => ends[i++] ?? other) };
}

/** Replaces whole lines that are the same but for white space, in one place only; unchanged ones keep their bytes. */
function planLoosely({ path, name, lines }: Searched, wanted: string, fresh: string): Result<Replaced, "edit"> {
  const [from, to] = [rows(wanted), rows(fresh)];
  const spots = from.some((line) => line.trim() !== "") ? loosely(lines, from) : [];
  const spot = spots[0];
  if (spot === undefined) return fail("edit", notThere(path, name, lines, from));
  if (spots.length > 1) {
    const places = `${spots.length} times (lines ${spots.slice(0, 8).join(", ")})`;
    const stands = `${name} is not in ${path} as it stands; but for white space it is, ${places}`;
    return fail("edit", `${stands}. Copy the lines exactly as they are.`);
  }
  const pairs = from.map((line, i) => [line, lines.at(spot + i)] as const);
  const indent = indents(lines, pairs, to);
  const ops: LineOp[] = align(from, to).map(({ oldStart, removed, newStart, added }) => {
    const first = spot + oldStart - 1;
    return { from: first, to: first + removed - 1, rows: to.slice(newStart - 1, newStart - 1 + added).map(indent) };
  });
  if (ops.length === 0) return fail("edit", `${name} and its newText are the same: nothing would change in ${path}.`);
  const range = `${spot}-${spot + from.length - 1}`;
  const warning = `${name} matched lines ${range} only but for white space; the file's own was kept.`;
  return ok({ changes: lineChanges(lines, ops), warnings: [warning] });
}

function notThere(path: string, name: string, lines: Lines, from: readonly string[]): string {
  const numbered = from.every((line) => line.trim() === "" || /^\s*\d+[:|]/.test(line));
  const advice = numbered
    ? " Leave out the line numbers: they are not part of the file."
    : nearestText(lines, from, "oldText") || " Read the file again and copy the text as it stands there.";
  return `${name} is not in ${path}. Nothing was changed.${advice}`;
}

const rows = (text: string): string[] =>
  text === "" ? [] : (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");

/** The first of each group of places that overlap. */
function apart(spots: readonly number[], length: number): number[] {
  let free = 0;
  return spots.filter((at) => {
    if (at < free) return false;
    free = at + length;
    return true;
  });
}
