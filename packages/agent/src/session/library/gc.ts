import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "@pith/kit";
import { emptyTrash } from "./trash.ts";

export interface Cleaning {
  /** The directory of pith's own files. */
  home: string;
  sessions: string;
  now: number;
  /** `look` only counts. */
  does: "look" | "remove";
}

export interface Cleaned {
  /** Deleted sessions that were removed for good. */
  trash: number;
  blobs: number;
  bytes: number;
  /** Companions of files that are gone. */
  leftovers: number;
  /** Folders with sessions that cannot be looked into now; while there is one, no blob is removed. */
  unreachable: string[];
}

const day = 24 * 3600_000;
const trashAge = 30 * day;
/** A blob is written before the line that names it. */
const blobAge = 3600_000;

/** Removes what nothing refers to any more: old trash, blobs that no session names, indexes and locks without a session. */
export function cleanUp({ home, sessions, now, does }: Cleaning): Cleaned {
  const trash = does === "remove" ? emptyTrash(sessions, now - trashAge) : 0;
  const places = [join(home, "sessions"), sessions, ...knownPlaces(home)];
  const unreachable = knownPlaces(home).filter((place) => !isFolder(place));
  const files = new Set(places.flatMap(filesBelow));
  const leftovers = [...files].filter((file) => isLeftover(file, files, now));
  const unused = unreachable.length > 0 ? [] : unusedBlobs(join(home, "blobs"), files, now);
  const bytes = unused.reduce((sum, file) => sum + sizeOf(file), 0);
  if (does === "remove") for (const file of [...unused, ...leftovers]) rmSync(file, { force: true });
  return { trash, blobs: unused.length, bytes, leftovers: leftovers.length, unreachable };
}

/** Remembers a folder of sessions outside of the usual one, so that its blobs are known to be in use. */
export function rememberPlace(home: string, file: string): void {
  const folder = dirname(file);
  const places = knownPlaces(home);
  if (isInside(join(home, "sessions"), file) || places.includes(folder)) return;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(placesFile(home), `${JSON.stringify([...places, folder])}\n`, { mode: 0o600 });
  } catch {}
}

const placesFile = (home: string): string => join(home, "session-places.json");

function knownPlaces(home: string): string[] {
  try {
    const places = JSON.parse(readFileSync(placesFile(home), "utf8"));
    return Array.isArray(places) ? places.filter((place) => typeof place === "string") : [];
  } catch {
    return [];
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((item) => (item.isFile() ? [join(item.parentPath, item.name)] : []));
  } catch {
    return [];
  }
}

/** `x.jsonl.idx` or `x.jsonl.lock` without `x.jsonl`; half-written copies that nobody finishes any more. */
function isLeftover(file: string, files: ReadonlySet<string>, now: number): boolean {
  const session = /^(.*\.jsonl)\.(?:idx|lock)$/.exec(file)?.[1];
  if (session) return !files.has(session);
  return /\.jsonl\..*tmp$/.test(file) && (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) < now - day;
}

function unusedBlobs(folder: string, files: ReadonlySet<string>, now: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const used = new Set<string>();
  for (const file of files) if (/\.jsonl(?:\.bak)?$/.test(file)) collectRefs(file, used);
  return names
    .filter((name) => !used.has(name))
    .map((name) => join(folder, name))
    .filter((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) < now - blobAge);
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
      for (let at = whole.indexOf(mark); at !== -1; at = whole.indexOf(mark, at + 1)) into.add(whole.toString("latin1", at + mark.length, at + refLength));
      // A reference may lie across the border of two reads.
      kept = Math.min(refLength, whole.length);
      whole.copy(bytes, 0, whole.length - kept);
    }
  } finally {
    closeSync(fd);
  }
}
