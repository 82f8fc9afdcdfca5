import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isUnlinked, parseJson, plainAppend, plainWrite, readPlain, recordOf } from "@pith/kit";
import type { LineSet, Shift } from "./seen.ts";

/** A line of the index: the content with this hash was shown at this path under this tag. */
export interface SnapshotRow {
  path: string;
  tag: string;
  hash: string;
  from?: string;
  shifts?: readonly Shift[];
  /** The lines that were shown; undefined where that is not known. */
  seen?: LineSet;
}

/**
 * Snapshots on the disk: an index of rows and a file for each content. A row that cannot be written is only forgotten
 * sooner. A session may come from a stranger: no link is followed, to read or to write.
 */
export class SnapshotFolder {
  readonly #artifacts: () => string;
  /** True for a content that holds a secret, of which only the row is kept. */
  readonly #isSecret: (text: string) => boolean;
  #writing: Promise<void> = Promise.resolve();
  #waiting: Added[] = [];
  /** The folder that is known to be there. */
  #ready: string | undefined;

  constructor(artifacts: () => string, isSecret: (text: string) => boolean) {
    this.#artifacts = artifacts;
    this.#isSecret = isSecret;
  }

  get #dir(): string {
    return join(this.#artifacts(), "snapshots");
  }

  rows(): SnapshotRow[] {
    return (this.#text(index) ?? "").split("\n").flatMap(rowOf);
  }

  read(hash: string): string | undefined {
    return this.#text(hash);
  }

  /** Writes in the background, all rows that came together at once: nobody waits for it. */
  add(row: SnapshotRow, text: string | undefined): void {
    if (this.#waiting.push({ row, text }) > 1) return;
    this.#writing = this.#writing
      .then(() => new Promise((done) => setImmediate(done)))
      .then(() => this.#write(this.#waiting.splice(0)))
      .catch(() => {});
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  #text(name: string): string | undefined {
    const read = this.#isOurs(name) ? readPlain(join(this.#dir, name), { maxBytes }) : undefined;
    return read?.ok ? read.value : undefined;
  }

  #isOurs(name: string): boolean {
    const artifacts = this.#artifacts();
    return isUnlinked(dirname(artifacts), join(basename(artifacts), "snapshots", name));
  }

  /** The contents first, so that a row never names one that is not there. */
  async #write(added: readonly Added[]): Promise<void> {
    if (!this.#isOurs(index)) return;
    const { appendFile, writeFile } = await import("node:fs/promises");
    const dir = this.#dir;
    if (this.#ready !== dir) mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.#ready = dir;
    // Half a content is no danger: its hash is compared when it is read.
    for (const { row, text } of added)
      if (text !== undefined && !this.#isSecret(text))
        await writeFile(join(dir, row.hash), text, { mode: 0o600, flag: plainWrite });
    const rows = added.map(({ row }) => `${JSON.stringify(row)}\n`).join("");
    await appendFile(join(dir, index), rows, { mode: 0o600, flag: plainAppend });
  }
}

interface Added {
  row: SnapshotRow;
  text: string | undefined;
}

const index = "index.jsonl";
const maxBytes = 256 * 1024 * 1024;

const isShift = (shift: Partial<Shift> | null): boolean =>
  [shift?.start, shift?.removed, shift?.added].every((count) => Number.isSafeInteger(count) && Number(count) >= 0);

const isRange = (range: unknown): boolean =>
  Array.isArray(range) && range.length === 2 && range.every((line) => Number.isSafeInteger(line) && line > 0);

/** A torn last line, or one that something else wrote, is no row. */
function rowOf(line: string): SnapshotRow[] {
  const { path, tag = "", hash = "", from, shifts, seen } = recordOf(parseJson(line)) as Partial<SnapshotRow>;
  if (typeof path !== "string" || !/^[0-9A-F]{4}$/.test(tag) || !/^[0-9a-f]{64}$/.test(hash)) return [];
  const led = typeof from === "string" && Array.isArray(shifts) && shifts.every(isShift);
  const lines = Array.isArray(seen) && seen.every(isRange) ? { seen } : {};
  return [{ path, tag, hash, ...(led && { from, shifts }), ...lines }];
}
