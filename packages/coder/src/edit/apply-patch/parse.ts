import { type Fail, fail, ok, type Result } from "@pith/kit";
import type { DiffRow } from "../text/row.ts";

export type PatchHunk =
  | { do: "add"; path: string; content: string }
  | { do: "delete"; path: string }
  | { do: "update"; path: string; moveTo?: string; chunks: Chunk[] };

export interface Chunk {
  /** Lines to go to one after the other before the old lines are looked for: a class, then a method of it. */
  contexts: string[];
  rows: DiffRow[];
  /** The old lines are at the end of the file. */
  atEnd: boolean;
}

const begin = "*** Begin Patch";
const end = "*** End Patch";
const endOfFile = "*** End of File";

/** Reads a whole patch, also one wrapped in a here-document. */
export function parsePatch(input: string): Result<PatchHunk[], "patch"> {
  const rows = rowsOf(input.trim());
  const bad = envelope(rows);
  const whole = bad ? unwrap(rows) : rows;
  if (!whole) return bad as Fail<"patch">;
  return envelope(whole) ?? parseHunks(whole.slice(1, -1), "whole");
}

/** Reads as much as has arrived; the last hunk, still incomplete, is left out. For showing only, never for applying. */
export function parseArriving(input: string): PatchHunk[] {
  const rows = rowsOf(input.trimStart());
  if (rows[0]?.trim() !== begin) return [];
  const stop = rows.findIndex((row) => row.trim() === end);
  // The last row may be cut anywhere.
  const parsed = parseHunks(rows.slice(1, stop), stop === -1 ? "arriving" : "whole");
  return parsed.ok ? parsed.value : [];
}

/** The rows, whatever their line ends: which one the file has is for the file to say. */
const rowsOf = (input: string): string[] =>
  input.split("\n").map((row) => (row.endsWith("\r") ? row.slice(0, -1) : row));

function envelope(rows: readonly string[]) {
  if (rows[0]?.trim() !== begin) return fail("patch", `A patch begins with the line '${begin}'`);
  if (rows.length < 2 || rows.at(-1)?.trim() !== end) return fail("patch", `A patch ends with the line '${end}'`);
  return undefined;
}

function unwrap(rows: readonly string[]): string[] | undefined {
  const opener = ["<<EOF", "<<'EOF'", '<<"EOF"'].includes(rows[0] ?? "");
  return opener && rows.length >= 4 && rows.at(-1)?.trim() === "EOF" ? rows.slice(1, -1) : undefined;
}

/** Reads the rows between the markers. */
function parseHunks(rows: readonly string[], how: "whole" | "arriving"): Result<PatchHunk[], "patch"> {
  const reader = new HunkReader(rows);
  const hunks: PatchHunk[] = [];
  while (!reader.atEnd) {
    const hunk = reader.hunk();
    if (!hunk.ok && how === "whole") return hunk;
    if (!hunk.ok) break;
    if (!reader.atEnd || how === "whole" || hunk.value.do === "delete") hunks.push(hunk.value);
  }
  return ok(hunks);
}

class HunkReader {
  readonly #rows: readonly string[];
  #at = 0;

  constructor(rows: readonly string[]) {
    this.#rows = rows;
  }

  get atEnd(): boolean {
    return this.#at >= this.#rows.length;
  }
  get #row(): string {
    return this.#rows[this.#at] ?? "";
  }

  hunk(): Result<PatchHunk, "patch"> {
    const head = this.#at++;
    const [, verb, path = ""] = /^\*\*\* (Add|Delete|Update) File: (.+)$/s.exec((this.#rows[head] ?? "").trim()) ?? [];
    if (verb === "Add") return ok({ do: "add", path, content: this.#added() });
    if (verb === "Delete") return ok({ do: "delete", path });
    if (verb === "Update") return this.#update(path, head);
    const forms = "'*** Add File: PATH', '*** Delete File: PATH' and '*** Update File: PATH' do";
    return wrong(head, `'${(this.#rows[head] ?? "").trim()}' begins nothing; ${forms}`);
  }

  #added(): string {
    let content = "";
    for (; this.#row.startsWith("+"); this.#at++) content += `${this.#row.slice(1)}\n`;
    return content;
  }

  #update(path: string, head: number): Result<PatchHunk, "patch"> {
    const moveTo = /^\*\*\* Move to: (.+)$/s.exec(this.#row.trim())?.[1];
    if (moveTo !== undefined) this.#at++;
    const chunks: Chunk[] = [];
    while (!this.atEnd) {
      if (this.#row.trim() === "") {
        this.#at++;
        continue;
      }
      if (this.#row.startsWith("***")) break;
      const chunk = this.#chunk(chunks.length === 0 ? "first" : "later");
      if (!chunk.ok) return chunk;
      chunks.push(chunk.value);
    }
    if (chunks.length === 0 && moveTo === undefined) return wrong(head, `the update of ${path} has no rows`);
    return ok({ do: "update", path, moveTo, chunks });
  }

  #chunk(which: "first" | "later"): Result<Chunk, "patch"> {
    const start = this.#at;
    while (isMarker(this.#row)) this.#at++;
    if (this.#at === start && which === "later")
      return wrong(start, `a further hunk begins with @@, not with '${this.#row}'`);
    const markers = this.#rows.slice(start, this.#at);
    const contexts = markers.flatMap((row) => (row.trimEnd() === "@@" ? [] : [row.slice(3)]));
    const first = this.#at;
    const chunk: Chunk = { contexts, rows: [], atEnd: false };
    for (; !this.atEnd && !chunk.atEnd; this.#at++) {
      const row = this.#row;
      const sign = row === "" ? " " : row[0];
      // This marker is looked for before the others: it begins like them.
      if (row.trimEnd() === endOfFile) chunk.atEnd = true;
      else if (row.startsWith("***") || isMarker(row)) break;
      else if (sign === " " || sign === "-" || sign === "+") chunk.rows.push({ sign, text: row.slice(1) });
      else return wrong(this.#at, `'${row}' begins neither with a space (kept) nor with + (added) or - (removed)`);
    }
    if (chunk.rows.length === 0) return wrong(first, "the hunk has no rows");
    return chunk.rows.every((row) => row.sign === " ") ? wrong(start, "the hunk changes nothing") : ok(chunk);
  }
}

const isMarker = (row: string): boolean => row.trimEnd() === "@@" || row.startsWith("@@ ");

/** `at` counts from the row after the opening marker. */
const wrong = (at: number, message: string) => fail("patch", `line ${at + 2} of the patch: ${message}`);
