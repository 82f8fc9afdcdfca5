import { fail, ok, plural, type Result } from "@pith/kit";
import { missingHint } from "./hint.ts";

export interface Edit {
  oldText: string;
  newText: string;
  all?: boolean | undefined;
}

/** Bytes to put in the place of others; positions are those of the old content. */
export interface Replacement {
  start: number;
  end: number;
  bytes: Buffer;
  /** 1-based line where it begins. */
  line: number;
}

export type PlanFailure = "empty" | "same" | "missing" | "ambiguous" | "overlap";

/**
 * Where the edits fall. The file is looked at as bytes, one character per byte: whatever its encoding, nothing
 * outside a match can change. CR LF counts as LF while matching, and new lines get the ending of the file.
 */
export function planEdits(content: Buffer, edits: readonly Edit[]): Result<Replacement[], PlanFailure> {
  const view = new View(content.toString("latin1"));
  const plan: (Replacement & { edit: number })[] = [];
  for (const [edit, { oldText, newText, all }] of edits.entries()) {
    const name = edits.length === 1 ? "oldText" : `edits[${edit}].oldText`;
    if (oldText === "") return fail("empty", `${name} is empty. Give the text to replace; to insert, repeat a neighbouring line in newText.`);
    const [wanted, given] = [asBytes(oldText), asBytes(newText)];
    if (wanted === given) return fail("same", `${name} and newText are the same: this edit would change nothing.`);
    // Occurrences may overlap each other: replacing all goes from one to the next, but only one that stands alone is unique.
    const spots = view.find(wanted, all ? wanted.length : 1);
    if (spots.length === 0) return fail("missing", `${name} was not found in the file. ${missingHint(content.toString(), oldText)}`);
    if (spots.length > 1 && !all) return fail("ambiguous", ambiguous(name, spots.map(view.lineAt, view)));
    for (const at of spots) plan.push({ edit, ...view.replacement(at, wanted.length, given) });
  }
  plan.sort((a, b) => a.start - b.start);
  for (const [i, own] of plan.entries()) {
    const before = plan[i - 1];
    if (before && own.start < before.end)
      return fail("overlap", `edits[${before.edit}] and edits[${own.edit}] overlap at line ${own.line}. Join them into one edit.`);
  }
  return ok(plan);
}

export function applyPlan(content: Buffer, plan: readonly Replacement[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, bytes } of plan) {
    parts.push(content.subarray(at, start), bytes);
    at = end;
  }
  return Buffer.concat([...parts, content.subarray(at)]);
}

/** A text with CR LF shown as LF, that knows where everything stands in the original. */
class View {
  readonly #text: string;
  /** Positions in `#text` of the newlines that lost a CR. */
  readonly #lost: number[] = [];
  readonly #newlines: number;

  constructor(raw: string) {
    for (let at = raw.indexOf("\r\n"); at !== -1; at = raw.indexOf("\r\n", at + 2)) this.#lost.push(at - this.#lost.length);
    this.#text = this.#lost.length > 0 ? raw.replaceAll("\r\n", "\n") : raw;
    this.#newlines = this.#text.split("\n").length - 1;
  }

  find(wanted: string, step: number): number[] {
    const spots: number[] = [];
    for (let at = this.#text.indexOf(wanted); at !== -1; at = this.#text.indexOf(wanted, at + step)) spots.push(at);
    return spots;
  }

  lineAt(at: number): number {
    let line = 1;
    for (let newline = this.#text.indexOf("\n"); newline !== -1 && newline < at; newline = this.#text.indexOf("\n", newline + 1)) line++;
    return line;
  }

  replacement(at: number, length: number, given: string): Replacement {
    const end = at + length;
    const text = this.#endsWithCr(at, end) ? given.replaceAll("\n", "\r\n") : given;
    return { start: this.#original(at), end: this.#original(end), bytes: Buffer.from(text, "latin1"), line: this.lineAt(at) };
  }

  /** In a file of mixed endings the replaced lines decide; a match inside one line goes with the majority. */
  #endsWithCr(at: number, end: number): boolean {
    const inside = this.#text.slice(at, end).split("\n").length - 1;
    const lost = this.#rank(end) - this.#rank(at);
    return inside > 0 ? lost * 2 > inside : this.#lost.length * 2 > this.#newlines;
  }

  #original(at: number): number {
    return at + this.#rank(at);
  }

  /** How many CRs were lost before a position. */
  #rank(at: number): number {
    let [low, high] = [0, this.#lost.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lost[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const asBytes = (text: string): string => Buffer.from(text.replaceAll("\r\n", "\n")).toString("latin1");

function ambiguous(name: string, lines: readonly number[]): string {
  const shown = lines.slice(0, 10).join(", ") + (lines.length > 10 ? ", …" : "");
  return `${name} was found ${plural(lines.length, "time")} (lines ${shown}). Add lines around it until it is unique, or set all: true to replace every one.`;
}
