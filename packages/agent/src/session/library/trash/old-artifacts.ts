import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { entriesIn } from "@pith/kit";
import { lockOwner } from "../../store/lock.ts";
import { isPlain } from "../files.ts";

/** A folder of outputs that has not changed for long. */
export interface OldArtifacts {
  folder: string;
  bytes: number;
}

/** Names of our session folders, also of sessions that are gone. */
const named = /^\d{4}-\d\d-\d\dT[\d-]+Z_[\w-]+$/;

/** Output folders older than this. Links are not followed; folders in use are left out. */
export function oldArtifacts(sessions: string, before: number): OldArtifacts[] {
  const buckets = foldersIn(sessions).filter((name) => !name.startsWith("."));
  return [sessions, ...buckets.map((name) => join(sessions, name))].flatMap((bucket) =>
    foldersIn(bucket)
      .map((name) => ({ name, folder: join(bucket, name) }))
      .filter(({ name, folder }) => (named.test(name) || isPlain(`${folder}.jsonl`, "isFile")) && isOld(folder, before))
      .map(({ folder }) => ({ folder, bytes: sizeOf(folder) })),
  );
}

/** Removes the folders after checking each again; returns those removed and those left. */
export function removeArtifacts(
  old: readonly OldArtifacts[],
  before: number,
): { gone: OldArtifacts[]; left: OldArtifacts[] } {
  const gone: OldArtifacts[] = [];
  for (const one of old) {
    if (!isOld(one.folder, before)) continue;
    try {
      rmSync(one.folder, { recursive: true, force: true });
      gone.push(one);
    } catch {
      // Listed in `left`.
    }
  }
  return { gone, left: old.filter((one) => !gone.includes(one)) };
}

const isOld = (folder: string, before: number): boolean => {
  const state = lstatSync(folder, { throwIfNoEntry: false });
  return state?.isDirectory() === true && state.mtimeMs < before && !lockOwner(`${folder}.jsonl.lock`);
};

const foldersIn = (folder: string): string[] =>
  entriesIn(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

const sizeOf = (folder: string): number =>
  entriesIn(folder).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + sizeOf(path);
    return sum + (entry.isFile() ? (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) : 0);
  }, 0);
