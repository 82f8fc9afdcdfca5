import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { hasher, isOwnFolder, messageOf, plainWrite, readPlain } from "@pith/kit";
import type { EditorDraft, TextFold, Timers } from "@pith/tui";

/** What is typed and not sent is on the disk this soon. */
const soonMs = 30;
const most = 64 * 1024 * 1024;

/** The draft of one face, kept so that nothing that ends the process ends it. */
export interface Drafts {
  /** What an earlier run in this directory left behind, or nothing. */
  readonly left: EditorDraft | undefined;
  readonly warnings: readonly string[];
  /** The draft is this now; an empty one leaves nothing behind. */
  keep(draft: () => EditorDraft): void;
  /** Writes what waits. */
  flush(): void;
}

interface DraftPlace {
  home: string;
  cwd: string;
  pid: number;
  /** Whether a process still runs. */
  isAlive(pid: number): boolean;
  timers: Timers;
  /** What is typed from now on cannot be kept. */
  warn(warning: string): void;
}

/**
 * Every face has a file of its own, named by its directory and its process; one whose process is gone belongs to who
 * comes next there. What stands behind marks lies in a second file, which is written only when it changes.
 */
export function openDrafts({ home, cwd, pid, isAlive, timers, warn: told }: DraftPlace): Drafts {
  const folder = join(home, "drafts");
  const place = hasher("sha256").update(cwd).digest("hex").slice(0, 16);
  const file = join(folder, `${place}-${pid}.json`);
  const foldFile = join(folder, `${place}-${pid}.folds.json`);
  const warnings: string[] = [];
  const left = adopt();
  let latest: (() => EditorDraft) | undefined;
  let folds = left ? JSON.stringify(left.folds) : "[]";
  let there = left !== undefined;
  let failed = false;

  /** The newest that nobody has; the others wait for who comes next. */
  function adopt(): EditorDraft | undefined {
    const orphans = namesIn(folder).flatMap((name) => {
      const [, at, owner] = /^([0-9a-f]{16})-(\d+)\.json$/.exec(name) ?? [];
      const since =
        at === place && Number(owner) !== pid && !isAlive(Number(owner)) ? changedAt(join(folder, name)) : undefined;
      return since === undefined ? [] : [{ name, since }];
    });
    for (const { name } of orphans.toSorted((one, other) => other.since - one.since)) {
      const theirs = join(folder, name);
      const beside = theirs.replace(/\.json$/, ".folds.json");
      const text = readDraft(theirs, warnings);
      if (text === undefined) continue;
      const kept = readFolds(beside, warnings);
      try {
        if (kept.length > 0) write(folder, foldFile, JSON.stringify(kept));
        write(folder, file, JSON.stringify({ text }));
        // Only now: whatever ends this process on the way, one of the two is there.
        for (const each of [theirs, beside]) rmSync(each, { force: true });
      } catch {
        // It is on the screen, and stays where it was.
      }
      return { text, folds: kept };
    }
    return undefined;
  }

  function flush() {
    const draft = latest?.();
    latest = undefined;
    if (!draft) return;
    try {
      if (draft.text === "") {
        if (there) for (const each of [file, foldFile]) rmSync(each, { force: true });
        there = false;
        folds = "[]";
        return;
      }
      const behind = draft.folds.length === 0 ? "[]" : JSON.stringify(draft.folds);
      if (behind !== folds) write(folder, foldFile, behind);
      folds = behind;
      write(folder, file, JSON.stringify({ text: draft.text }));
      there = true;
      failed = false;
    } catch (error) {
      // Said once; the next key may find room again.
      if (!failed) told(`What you type is not kept for after a crash: ${messageOf(error)}`);
      failed = true;
    }
  }

  return {
    left,
    warnings,
    keep(draft) {
      if (!latest) timers.after(soonMs, flush);
      latest = draft;
    },
    flush,
  };
}

/** Undefined for what is no file of its own: a folder, a link, a pipe. */
function changedAt(file: string): number | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.mtimeMs : undefined;
}

function namesIn(folder: string): string[] {
  try {
    return isOwnFolder(folder) ? readdirSync(folder).toSorted() : [];
  } catch {
    return [];
  }
}

/** Whole or not at all: what is read later is one of the states it had. */
function write(folder: string, file: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fresh = `${file}.new`;
  const fd = openSync(fresh, plainWrite, 0o600);
  try {
    writeSync(fd, text);
  } finally {
    closeSync(fd);
  }
  renameSync(fresh, file);
}

function parsed(file: string, warnings: string[]): unknown {
  const text = readPlain(file, { maxBytes: most });
  if (!text.ok) {
    if (text.kind !== "missing") warnings.push(`The draft ${file} is not read: ${text.message}`);
    return undefined;
  }
  try {
    return JSON.parse(text.value);
  } catch {
    return null;
  }
}

/** What cannot be used is set aside: said once, and lost to nobody. */
function readDraft(file: string, warnings: string[]): string | undefined {
  const draft = parsed(file, warnings) as { text?: unknown } | undefined | null;
  if (typeof draft?.text === "string") return draft.text === "" ? undefined : draft.text;
  if (draft !== undefined) warnings.push(`The draft ${file} is damaged; it is ${basename(file)}.damaged now.`);
  try {
    renameSync(file, `${file}.damaged`);
  } catch {
    // Said again at the next start.
  }
  return undefined;
}

function readFolds(file: string, warnings: string[]): TextFold[] {
  const folds = parsed(file, warnings);
  return Array.isArray(folds) ? folds.filter(isFold) : [];
}

function isFold(fold: unknown): fold is TextFold {
  const { mark, content } = (fold ?? {}) as {
    mark?: unknown;
    content?: { kind?: unknown; text?: unknown; name?: unknown };
  };
  if (typeof mark !== "string" || mark === "" || typeof content !== "object" || content === null) return false;
  return content.kind === "text"
    ? typeof content.text === "string"
    : content.kind === "attachment" && typeof content.name === "string";
}
