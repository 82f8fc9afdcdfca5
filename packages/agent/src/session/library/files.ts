import { constants, cpSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { closing, codeOf, entriesIn, fileStat, hasher, linkStat, openPlain, readRange, tryOr } from "@pith/kit";
import type { Header } from "../entry.ts";
import { readBeginning } from "../index/open.ts";

/** Folder of a working directory's sessions, in pi's form. The header's `cwd` decides; the folder is only a bucket. */
export function bucket(sessions: string, cwd: string): string {
  const name = `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
  // A path may be longer than a file name; a hash then replaces its end.
  if (Buffer.byteLength(name) <= longestName) return join(sessions, name);
  const begin = Buffer.from(name)
    .subarray(0, longestName - 20)
    .toString("utf8")
    .replace(/\ufffd+$/, "");
  return join(sessions, `${begin}-${hasher("sha1").update(cwd).digest("hex").slice(0, 12)}--`);
}
const longestName = 240;

export const fileName = (header: Header): string => `${header.timestamp.replace(/[:.]/g, "-")}_${header.id}.jsonl`;

/** Default folder of all sessions. */
export const defaultSessionsFolder = (home: string): string => join(home, "sessions");

/** Folder of a session's full outputs. */
export const artifactsOf = (file: string): string => file.replace(/\.jsonl$/, "");

/** Reads the header only; a `title` line may stand before it. */
export function readHeader(file: string): Header | undefined {
  return withFile(file, (fd) => {
    const beginning = readBeginning((from, to) => readRange(fd, from, Math.min(to, from + 4096)), 4096);
    const whole = beginning === "damaged" ? readBeginning((from, to) => readRange(fd, from, to), 1 << 20) : beginning;
    return typeof whole === "string" ? undefined : whole.header;
  });
}

/** Sessions of a working directory, the last written first. Without a readable header the folder decides. */
export function sessionsOf(sessions: string, cwd: string): Iterable<string> {
  const files = sessionFiles(bucket(sessions, cwd)).flatMap((file) => {
    const state = fileStat(file);
    return state?.isFile() && state.size > 0 ? [{ file, time: state.mtimeMs }] : [];
  });
  files.sort((a, b) => b.time - a.time || (a.file < b.file ? 1 : -1));
  const here = ({ file }: { file: string }) => [cwd, ""].includes(readHeader(file)?.cwd ?? "");
  return files
    .values()
    .filter(here)
    .map(({ file }) => file);
}

/** Moves a file or a folder, also to another disk. */
export function relocate(from: string, to: string, rename = renameSync): void {
  try {
    rename(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    try {
      copyPlain(from, to);
    } catch (failure) {
      rmSync(to, { recursive: true, force: true });
      throw failure;
    }
    rmSync(from, { recursive: true });
  }
}

/** Copies files and folders but no links, which in a stranger's session may lead anywhere. */
export const copyPlain = (from: string, to: string): void =>
  cpSync(from, to, {
    recursive: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => isPlain(path, "isFile") || isPlain(path, "isDirectory"),
  });

/** True if the path itself is of this kind; links are not followed. */
export const isPlain = (path: string, kind: "isFile" | "isDirectory"): boolean => linkStat(path)?.[kind]() ?? false;

/** Session files in a folder. */
const sessionFiles = (folder: string): string[] =>
  tryOr(() => readdirSync(folder), []).flatMap((name) => (name.endsWith(".jsonl") ? [`${folder}/${name}`] : []));

/** Session files in the folder of all sessions and its buckets. */
export function allSessionFiles(sessions: string): string[] {
  const buckets = entriesIn(sessions).filter(
    (item) => (item.isDirectory() || item.isSymbolicLink()) && !item.name.startsWith("."),
  );
  return [...sessionFiles(sessions), ...buckets.flatMap((item) => sessionFiles(join(sessions, item.name)))];
}

export function withFile<T>(file: string, use: (fd: number) => T): T | undefined {
  const fd = tryOr(() => openPlain(file, "followed"));
  if (fd === undefined) return undefined;
  using _ = closing(fd);
  return use(fd);
}
