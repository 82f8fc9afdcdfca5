import { mkdirSync, readFileSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** `removed` lines from line `start` (1-based, of the older content) gave way to `added` lines. */
export interface Shift {
  start: number;
  removed: number;
  added: number;
}

/** One line of the index: the content with this hash was shown at this path under this tag. */
export interface Row {
  path: string;
  tag: string;
  hash: string;
  from?: string;
  shifts?: readonly Shift[];
}

/**
 * Snapshots on the disk: an index of rows and one file per content. What cannot be written is only forgotten sooner.
 */
export class SnapshotFolder {
  readonly #dir: string;
  #writing: Promise<void> = Promise.resolve();
  #ready = false;

  constructor(artifacts: string) {
    this.#dir = join(artifacts, "snapshots");
  }

  rows(): Row[] {
    return (readText(join(this.#dir, index)) ?? "").split("\n").flatMap(rowOf);
  }

  read(hash: string): string | undefined {
    return readText(join(this.#dir, hash));
  }

  /** In the background: the content first, so that a row never names one that is not there. */
  add(row: Row, text: string | undefined): void {
    this.#writing = this.#writing.then(() => this.#write(row, text)).catch(() => {});
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  async #write(row: Row, text: string | undefined): Promise<void> {
    if (!this.#ready) mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    this.#ready = true;
    // Half a content is no danger: whoever reads it compares its hash.
    if (text !== undefined) await writeFile(join(this.#dir, row.hash), text, { mode: 0o600 });
    await appendFile(join(this.#dir, index), `${JSON.stringify(row)}\n`, { mode: 0o600 });
  }
}

const index = "index.jsonl";

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** A torn last line, or one that something else wrote, is no row. */
function rowOf(line: string): Row[] {
  try {
    const row = JSON.parse(line) as Partial<Row>;
    const whole =
      typeof row.path === "string" && /^[0-9A-F]{4}$/.test(row.tag ?? "") && /^[0-9a-f]{64}$/.test(row.hash ?? "");
    return whole ? [row as Row] : [];
  } catch {
    return [];
  }
}
