import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { hasher, isOwnFolder, linkStat, messageOf, readPlain, recordOf, tryOr, writeWhole } from "@pith/kit";
import type { EditorDraft, TextFold, Timers } from "@pith/tui";

/** Milliseconds until a change is on the disk. */
const soonMs = 30;
const most = 64 * 1024 * 1024;

interface DraftOptions {
  home: string;
  cwd: string;
  pid: number;
  isAlive(pid: number): boolean;
  timers: Timers;
  /** Says once that drafts cannot be kept. */
  warn(warning: string): void;
}

/**
 * Keeps what is typed and not sent. Each process has a file of its own, named by its directory; the file of a process
 * that is gone belongs to the next one there. Texts behind marks are in a second file, written only when they change.
 */
export class Drafts {
  /** The draft that an earlier process in this directory has left. */
  readonly left: EditorDraft | undefined;
  readonly warnings: string[] = [];
  readonly #options: DraftOptions;
  readonly #folder: string;
  readonly #place: string;
  readonly #file: string;
  readonly #foldFile: string;
  #latest: (() => EditorDraft) | undefined;
  /** The texts behind marks that are on the disk. */
  #folds = "[]";
  #isThere = false;
  #hasFailed = false;

  constructor(options: DraftOptions) {
    const { home, cwd, pid } = options;
    this.#options = options;
    this.#folder = join(home, "drafts");
    this.#place = hasher("sha256").update(cwd).digest("hex").slice(0, 16);
    this.#file = join(this.#folder, `${this.#place}-${pid}.json`);
    this.#foldFile = foldFileOf(this.#file);
    this.left = this.#adopt();
    if (!this.left) return;
    this.#folds = JSON.stringify(this.left.folds);
    this.#isThere = true;
  }

  /** Takes this for the draft; an empty one leaves nothing behind. */
  keep(draft: () => EditorDraft): void {
    if (!this.#latest) this.#options.timers.after(soonMs, () => this.flush());
    this.#latest = draft;
  }

  /** Writes what waits. */
  flush(): void {
    const draft = this.#latest?.();
    this.#latest = undefined;
    if (!draft) return;
    try {
      if (draft.text === "") this.#remove();
      else this.#write(draft);
    } catch (error) {
      // There may be room again for the next key.
      if (!this.#hasFailed) this.#options.warn(`What you type is not kept for after a crash: ${messageOf(error)}`);
      this.#hasFailed = true;
    }
  }

  #write({ text, folds }: EditorDraft): void {
    const written = folds.length === 0 ? "[]" : JSON.stringify(folds);
    if (written !== this.#folds) writeWhole(this.#foldFile, written);
    this.#folds = written;
    writeWhole(this.#file, JSON.stringify({ text }));
    this.#isThere = true;
    this.#hasFailed = false;
  }

  #remove(): void {
    if (this.#isThere) for (const file of [this.#file, this.#foldFile]) rmSync(file, { force: true });
    this.#isThere = false;
    this.#folds = "[]";
  }

  /** Takes over the newest draft without a process; others wait for the next process. */
  #adopt(): EditorDraft | undefined {
    for (const file of this.#orphans()) {
      const text = readDraft(file, this.warnings);
      if (text === undefined) continue;
      const folds = readFolds(foldFileOf(file), this.warnings);
      try {
        if (folds.length > 0) writeWhole(this.#foldFile, JSON.stringify(folds));
        writeWhole(this.#file, JSON.stringify({ text }));
        // Removed last: one of the two is there, whatever ends this process on the way.
        for (const each of [file, foldFileOf(file)]) rmSync(each, { force: true });
      } catch {
        // The draft is on the screen, and stays where it was.
      }
      return { text, folds };
    }
    return undefined;
  }

  /** Files of processes that are gone, the newest first. */
  #orphans(): string[] {
    const { pid, isAlive } = this.#options;
    const files = namesIn(this.#folder).flatMap((name) => {
      const [, place, id] = /^([0-9a-f]{16})-(\d+)\.json$/.exec(name) ?? [];
      const isOrphan = place === this.#place && Number(id) !== pid && !isAlive(Number(id));
      const file = join(this.#folder, name);
      const since = isOrphan ? changedAt(file) : undefined;
      return since === undefined ? [] : [{ file, since }];
    });
    return files.toSorted((one, other) => other.since - one.since).map(({ file }) => file);
  }
}

const foldFileOf = (file: string): string => file.replace(/\.json$/, ".folds.json");

/** The time of a plain file; undefined for a folder, a link, a pipe. */
function changedAt(file: string): number | undefined {
  const stat = linkStat(file);
  return stat?.isFile() ? stat.mtimeMs : undefined;
}

const namesIn = (folder: string): string[] =>
  tryOr(() => (isOwnFolder(folder) ? readdirSync(folder).toSorted() : []), []);

function parsed(file: string, warnings: string[]): unknown {
  const text = readPlain(file, { maxBytes: most });
  if (!text.ok) {
    if (text.kind !== "missing") warnings.push(`The draft ${file} is not read: ${text.message}`);
    return undefined;
  }
  return tryOr(() => JSON.parse(text.value), null);
}

/** Reads a draft; a damaged one is named and renamed. */
function readDraft(file: string, warnings: string[]): string | undefined {
  const draft = parsed(file, warnings) as { text?: unknown } | undefined | null;
  if (typeof draft?.text === "string") return draft.text === "" ? undefined : draft.text;
  if (draft !== undefined) warnings.push(`The draft ${file} is damaged; it is ${basename(file)}.damaged now.`);
  // Where it cannot be renamed, the next start warns again.
  tryOr(() => renameSync(file, `${file}.damaged`));
  return undefined;
}

function readFolds(file: string, warnings: string[]): TextFold[] {
  const folds = parsed(file, warnings);
  return Array.isArray(folds) ? folds.filter(isFold) : [];
}

function isFold(fold: unknown): fold is TextFold {
  const { mark, content } = recordOf(fold);
  const { kind, text, name } = recordOf(content);
  if (typeof mark !== "string" || mark === "") return false;
  return kind === "text" ? typeof text === "string" : kind === "attachment" && typeof name === "string";
}
