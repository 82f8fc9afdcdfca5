import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  entriesIn,
  fail,
  fileStat,
  isInside,
  isOwnFolder,
  isUnlinked,
  messageOf,
  ok,
  type Result,
  readPlain,
  realPath,
  tryOr,
} from "@pith/kit";
import { lockOwner } from "../../store/lock.ts";
import { artifactsOf, isPlain, readHeader, relocate } from "../files.ts";

/** A deleted session and its origin. */
export interface TrashedSession {
  id: string;
  folder: string;
  origin: string;
  deletedAt: number;
}

/** Folder of deleted sessions, on the same disk as the sessions, so that a rename is enough. */
const trashOf = (sessions: string): string => join(sessions, ".trash");

/** Moves a session to the trash, from which `restoreSession` brings it back. */
export function deleteSession(
  file: string,
  sessions: string,
  now: number,
): Result<TrashedSession, "missing" | "locked" | "unwritable"> {
  const header = readHeader(file);
  if (!header) return fail("missing", `${file} is not a session.`);
  const owner = lockOwner(`${file}.lock`);
  if (owner) return fail("locked", `This session is in use by process ${owner.pid}.`);
  // The id is the file writer's choice: make it a safe name, unique in the trash.
  const name = header.id.replace(/[^\w-]/g, "_");
  const taken = new Set(listTrash(sessions).map(({ id }) => id));
  if (!isOwnFolder(trashOf(sessions))) return fail("unwritable", `${trashOf(sessions)} is a link.`);
  let id = name;
  for (let count = 2; taken.has(id); count++) id = `${name}-${count}`;
  const folder = join(trashOf(sessions), id);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, "origin"), `${file}\n`, { mode: 0o600 });
    moveWithFiles(file, join(folder, basename(file)));
    return ok({ id, folder, origin: file, deletedAt: now });
  } catch (error) {
    // Not if something was moved into it.
    tryOr(() => [rmSync(join(folder, "origin"), { force: true }), rmdirSync(folder)]);
    return fail("unwritable", `The session could not be deleted: ${messageOf(error)}`);
  }
}

/** Removes a session and its files for good. */
export function discardSession(file: string): void {
  rmSync(artifactsOf(file), { recursive: true, force: true });
  for (const end of ["", ".idx", ".lock", ".bak"]) rmSync(`${file}${end}`, { force: true });
  // Fails if other sessions are in it.
  tryOr(() => rmdirSync(dirname(file)));
}

/** Restores the deleted session whose id begins so. */
export function restoreSession(
  prefix: string,
  sessions: string,
): Result<string, "missing" | "ambiguous" | "unwritable"> {
  const named = listTrash(sessions).filter((item) => item.id.toLowerCase().startsWith(prefix.toLowerCase()));
  const exact = named.filter((item) => item.id === prefix);
  const matches = exact.length > 0 ? exact : named;
  const [only] = matches;
  if (!only) return fail("missing", `No deleted session begins with ${prefix}.`);
  if (matches.length > 1)
    return fail(
      "ambiguous",
      `${matches.length} deleted sessions begin with ${prefix}: ${matches.map((item) => item.id).join(", ")}`,
    );
  if (existsSync(only.origin)) return fail("unwritable", `${only.origin} is already there.`);
  // The trash may be a stranger's, with any origin in it.
  if (!isInside(realPath(sessions), realPath(only.origin)) || !only.origin.endsWith(".jsonl"))
    return fail("unwritable", `${only.origin} is no place for a session of ${sessions}; it is in ${only.folder}.`);
  try {
    mkdirSync(dirname(only.origin), { recursive: true, mode: 0o700 });
    moveWithFiles(join(only.folder, basename(only.origin)), only.origin);
    rmSync(only.folder, { recursive: true, force: true });
    return ok(only.origin);
  } catch (error) {
    return fail("unwritable", `The session could not be restored: ${messageOf(error)}`);
  }
}

export function listTrash(sessions: string): TrashedSession[] {
  return entriesIn(trashOf(sessions)).flatMap(({ name: id }) => {
    const folder = join(trashOf(sessions), id);
    if (!isUnlinked(sessions, join(".trash", id))) return [];
    const read = readPlain(join(folder, "origin"), { maxBytes: 64 * 1024, within: folder });
    const origin = read.ok ? read.value.trim() : "";
    return origin ? [{ id, folder, origin, deletedAt: fileStat(join(folder, "origin"))?.mtimeMs ?? 0 }] : [];
  });
}

/** Removes, or only counts, sessions deleted before a time. */
export function emptyTrash(sessions: string, before: number, does: "look" | "remove"): number {
  const old = listTrash(sessions).filter((item) => item.deletedAt < before);
  if (does === "remove") for (const item of old) rmSync(item.folder, { recursive: true, force: true });
  return old.length;
}

/** Moves a session, the file last: while it is there, the step can be repeated. */
function moveWithFiles(from: string, to: string): void {
  const hasArtifacts = isPlain(artifactsOf(from), "isDirectory");
  if (hasArtifacts) relocate(artifactsOf(from), artifactsOf(to));
  try {
    relocate(from, to);
  } catch (error) {
    if (hasArtifacts) relocate(artifactsOf(to), artifactsOf(from));
    throw error;
  }
  for (const more of [".idx", ".lock"]) rmSync(`${from}${more}`, { force: true });
  if (isPlain(`${from}.bak`, "isFile")) relocate(`${from}.bak`, `${to}.bak`);
}
