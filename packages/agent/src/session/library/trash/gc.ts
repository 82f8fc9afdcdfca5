import { openSync, readdirSync, readSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { closing, codeOf, entriesIn, fileStat, sumOf } from "@pith/kit";
import { blobFolder } from "../../store/blob.ts";
import { defaultSessionsFolder, isPlain } from "../files.ts";
import { knownFolders } from "../known-folders.ts";
import { abandonedFiles, removeAbandoned } from "./abandoned.ts";
import { emptyTrash } from "./trash.ts";

export interface CleanUpOptions {
  /** Directory of pith's own files. */
  home: string;
  sessions: string;
  now: number;
  /** `look` only counts. */
  does: "look" | "remove";
}

export interface CleanUpResult {
  /** Deleted sessions removed for good. */
  trash: number;
  blobs: number;
  bytes: number;
  /** Side files of missing sessions, and what killed processes left. */
  leftovers: number;
  /** Places that may hold sessions and cannot be read now; while there are any, no blob is removed. */
  unreachable: string[];
}

const day = 24 * 3600_000;
const trashAge = 30 * day;
/** A blob is written before the line that names it. */
const blobAge = 3600_000;

/** Removes old trash, unreferenced blobs, indexes and locks without a session, and what killed processes left. */
export function cleanUp({ home, sessions, now, does }: CleanUpOptions): CleanUpResult {
  const trash = emptyTrash(sessions, now - trashAge, does);
  const look = new SessionScan();
  look.into(defaultSessionsFolder(home), "may be missing", "followed");
  for (const bucket of look.sessionsIn(sessions, "may be missing"))
    if (/^--.*--$|^\.trash$/s.test(basename(bucket))) look.into(bucket, "must be there");
  for (const known of knownFolders(home)) look.sessionsIn(known, "must be there");
  const used = look.refs();
  const unreachable = [...look.unreachable];
  const orphans = [...look.files].filter((file) => isLeftover(file, look.files, now));
  const leftovers = new Set([...orphans, ...abandonedFiles(home, now)]);
  const unused =
    unreachable.length > 0 ? [] : blobsIn(blobFolder(home), now - blobAge).filter((file) => !used.has(file.slice(-64)));
  const bytes = sumOf(unused, (file) => fileStat(file)?.size ?? 0);
  if (does === "remove") {
    for (const file of unused) rmSync(file, { force: true });
    for (const file of leftovers) removeAbandoned(file);
  }
  return { trash, blobs: unused.length, bytes, leftovers: leftovers.size, unreachable };
}

type Missing = "may be missing" | "must be there";

/**
 * Collects files of sessions, and places that could not be read. A bucket may be a link made by the user; inside a
 * session's own folder links are not followed, since it may be a stranger's.
 */
class SessionScan {
  readonly files = new Set<string>();
  readonly unreachable = new Set<string>();
  readonly #seen = new Set<string>();

  /** Collects everything below a folder of ours; `links` concerns those directly in it. */
  into(folder: string, missing: Missing, links: "followed" | "left" = "left"): void {
    const { files, folders } = this.#level(folder, missing, links);
    for (const file of files) this.files.add(file);
    for (const inner of folders) this.into(inner, "must be there");
  }

  /** Collects the sessions directly in a folder, with their files; returns the other folders. */
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

  /** Hashes of all blobs that sessions refer to. */
  refs(): Set<string> {
    const used = new Set<string>();
    for (const file of this.files) {
      if (!/\.jsonl(?:\.bak|\..*tmp)?$/.test(file)) continue;
      try {
        collectRefs(file, used);
      } catch {
        // The file may have moved to a place that was read before.
        this.unreachable.add(file);
      }
    }
    return used;
  }
}

/** True for `x.jsonl.idx` or `x.jsonl.lock` without `x.jsonl`, and abandoned temporary files. */
function isLeftover(file: string, files: ReadonlySet<string>, now: number): boolean {
  const session = /^(.*\.jsonl)\.(?:idx|lock)$/.exec(file)?.[1];
  if (session) return !files.has(session);
  return /\.jsonl\..*tmp$/.test(file) && (fileStat(file)?.mtimeMs ?? now) < now - day;
}

function blobsIn(folder: string, before: number): string[] {
  const files = entriesIn(folder).map(({ name }) => join(folder, name));
  return files.filter((file) => (fileStat(file)?.mtimeMs ?? before) < before);
}

const mark = Buffer.from("blob:sha256:");
const refLength = mark.length + 64;

/** Collects every reference in a file, wherever it stands: a blob too many is better than one too few. */
function collectRefs(file: string, into: Set<string>): void {
  const fd = openSync(file, "r");
  const bytes = Buffer.allocUnsafe(4 << 20);
  using _ = closing(fd);
  for (let from = 0, kept = 0; ; ) {
    const count = readSync(fd, bytes, kept, bytes.length - kept, from);
    if (count === 0) return;
    from += count;
    const whole = bytes.subarray(0, kept + count);
    for (let at = whole.indexOf(mark); at !== -1; at = whole.indexOf(mark, at + 1))
      into.add(whole.toString("latin1", at + mark.length, at + refLength));
    // A reference may lie across two reads.
    kept = Math.min(refLength, whole.length);
    whole.copy(bytes, 0, whole.length - kept);
  }
}
