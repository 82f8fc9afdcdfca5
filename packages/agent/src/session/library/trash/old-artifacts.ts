import { rmSync } from "node:fs";
import { join } from "node:path";
import { entriesIn, linkStat, succeeds, sumOf } from "@pith/kit";
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
  const gone = old.filter(
    ({ folder }) => isOld(folder, before) && succeeds(() => rmSync(folder, { recursive: true, force: true })),
  );
  return { gone, left: old.filter((one) => !gone.includes(one)) };
}

const isOld = (folder: string, before: number): boolean => {
  const state = linkStat(folder);
  return state?.isDirectory() === true && state.mtimeMs < before && !lockOwner(`${folder}.jsonl.lock`);
};

const foldersIn = (folder: string): string[] =>
  entriesIn(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

const sizeOf = (folder: string): number =>
  sumOf(entriesIn(folder), (entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sizeOf(path) : entry.isFile() ? (linkStat(path)?.size ?? 0) : 0;
  });
