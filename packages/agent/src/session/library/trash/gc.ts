import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, isInside } from "@pith/kit";
import { blobFolder } from "../../store/blob.ts";
import { defaultSessionsFolder, isPlain } from "../files.ts";
import { emptyTrash } from "./trash.ts";

export interface CleanUpOptions {
  /** The directory of pith's own files. */
  home: string;
  sessions: string;
  now: number;
  /** `look` only counts. */
  does: "look" | "remove";
}

export interface CleanUpResult {
  /** Deleted sessions that were removed for good. */
  trash: number;
  blobs: number;
  bytes: number;
  /** Companions of files that are gone. */
  leftovers: number;
  /** What may hold sessions and cannot be looked into now; while there is something, no blob is removed. */
  unreachable: string[];
}

const day = 24 * 3600_000;
const trashAge = 30 * day;
/** A blob is written before the line that names it. */
const blobAge = 3600_000;

/**
 * Removes what nothing refers to any more: old trash, blobs that no session names, indexes and locks without a
 * session.
 */
export function cleanUp({ home, sessions, now, does }: CleanUpOptions): CleanUpResult {
  const trash = emptyTrash(sessions, now - trashAge, does);
  const look = new SessionScan();
  look.into(defaultSessionsFolder(home), "may be missing", "followed");
  for (const bucket of look.sessionsIn(sessions, "may be missing"))
    if (/^--.*--$|^\.trash$/s.test(basename(bucket))) look.into(bucket, "must be there");
  for (const known of knownFolders(home)) look.sessionsIn(known, "must be there");
  const used = look.refs();
  const unreachable = [...look.unreachable];
  const leftovers = [...look.files].filter((file) => isLeftover(file, look.files, now));
  const unused =
    unreachable.length > 0 ? [] : blobsIn(blobFolder(home), now - blobAge).filter((file) => !used.has(file.slice(-64)));
  const bytes = unused.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  if (does === "remove") for (const file of [...unused, ...leftovers]) rmSync(file, { force: true });
  return { trash, blobs: unused.length, bytes, leftovers: leftovers.length, unreachable };
}

/** Remembers a folder of sessions outside of the usual one, so that its blobs are known to be in use. */
export function rememberFolder(home: string, file: string): void {
  const folder = dirname(file);
  if (isInside(defaultSessionsFolder(home), file) || knownFolders(home).includes(folder)) return;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    appendFileSync(foldersFile(home), `${JSON.stringify(folder)}\n`, { mode: 0o600 });
  } catch {}
}

/** Takes a folder, and what lies below it, off the list: what its sessions named may go. Says how many. */
export function forgetFolder(home: string, folder: string): number {
  const folders = knownFolders(home);
  const kept = folders.filter((known) => !isInside(folder, known));
  const fresh = `${foldersFile(home)}.${process.pid}.tmp`;
  if (kept.length === folders.length) return 0;
  writeFileSync(fresh, kept.map((known) => `${JSON.stringify(known)}\n`).join(""), { mode: 0o600 });
  renameSync(fresh, foldersFile(home));
  return folders.length - kept.length;
}

// One line for each, only ever appended: two processes at once cost none, and a torn line is a place that is not there.
const foldersFile = (home: string): string => join(home, "session-places.jsonl");

function knownFolders(home: string): string[] {
  let text: string;
  try {
    text = readFileSync(foldersFile(home), "utf8");
  } catch (error) {
    return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR" ? [] : [foldersFile(home)];
  }
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      try {
        return String(JSON.parse(line));
      } catch {
        return line;
      }
    });
}

type Missing = "may be missing" | "must be there";

/**
 * Files of sessions, and what could not be looked into. The folder of a working directory may be a link that the user
 * made; what lies in the folder of one session may be a stranger's, and no folder is entered through a link there.
 */
class SessionScan {
  readonly files = new Set<string>();
  readonly unreachable = new Set<string>();
  readonly #seen = new Set<string>();

  /** All that is below a folder of ours; `links` are those right in it. */
  into(folder: string, missing: Missing, links: "followed" | "left" = "left"): void {
    const { files, folders } = this.#level(folder, missing, links);
    for (const file of files) this.files.add(file);
    for (const inner of folders) this.into(inner, "must be there");
  }

  /** The sessions right in a folder that may hold anything else, and what belongs to them. The other folders in it. */
  sessionsIn(folder: string, missing: Missing): string[] {
    const { files, folders } = this.#level(folder, missing, "followed");
    const known = new Set(files);
    for (const file of files) if (/\.jsonl(?:$|\.)/.test(file)) this.files.add(file);
    const isOfSession = (inner: string) => known.has(`${inner}.jsonl`);
    for (const inner of folders.filter(isOfSession))
      if (isPlain(inner, "isDirectory")) this.into(inner, "must be there");
    return folders.filter((inner) => !isOfSession(inner));
  }

  #level(folder: string, missing: Missing, links: "followed" | "left"): { files: string[]; folders: string[] } {
    const level = { files: [] as string[], folders: [] as string[] };
    try {
      const real = realpathSync(folder);
      if (this.#seen.has(real)) return level;
      this.#seen.add(real);
      for (const item of readdirSync(real, { withFileTypes: true })) {
        const path = join(folder, item.name);
        const kind = item.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : item;
        if (kind?.isDirectory() && links === "left" && item.isSymbolicLink()) continue;
        if (kind?.isDirectory()) level.folders.push(path);
        else if (kind?.isFile()) level.files.push(path);
      }
    } catch (error) {
      if (missing === "must be there" || codeOf(error) !== "ENOENT") this.unreachable.add(folder);
    }
    return level;
  }

  /** The names of all blobs that a session refers to. */
  refs(): Set<string> {
    const used = new Set<string>();
    for (const file of this.files) {
      if (!/\.jsonl(?:\.bak|\..*tmp)?$/.test(file)) continue;
      try {
        collectRefs(file, used);
      } catch {
        // It may have gone to a place that was looked into before.
        this.unreachable.add(file);
      }
    }
    return used;
  }
}

/** `x.jsonl.idx` or `x.jsonl.lock` without `x.jsonl`; half-written copies that nobody finishes any more. */
function isLeftover(file: string, files: ReadonlySet<string>, now: number): boolean {
  const session = /^(.*\.jsonl)\.(?:idx|lock)$/.exec(file)?.[1];
  if (session) return !files.has(session);
  return /\.jsonl\..*tmp$/.test(file) && (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) < now - day;
}

function blobsIn(folder: string, before: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const files = names.map((name) => join(folder, name));
  return files.filter((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? before) < before);
}

const mark = Buffer.from("blob:sha256:");
const refLength = mark.length + 64;

/** Every reference in a file, in whatever place: rather a blob too many than one too few. */
function collectRefs(file: string, into: Set<string>): void {
  const fd = openSync(file, "r");
  const bytes = Buffer.allocUnsafe(4 << 20);
  try {
    for (let from = 0, kept = 0; ; ) {
      const count = readSync(fd, bytes, kept, bytes.length - kept, from);
      if (count === 0) return;
      from += count;
      const whole = bytes.subarray(0, kept + count);
      for (let at = whole.indexOf(mark); at !== -1; at = whole.indexOf(mark, at + 1))
        into.add(whole.toString("latin1", at + mark.length, at + refLength));
      // A reference may lie across the border of two reads.
      kept = Math.min(refLength, whole.length);
      whole.copy(bytes, 0, whole.length - kept);
    }
  } finally {
    closeSync(fd);
  }
}
