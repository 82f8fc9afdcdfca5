import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { type Clock, fail, messageOf, ok, type Result } from "@pith/kit";
import { Journal, type JournalFailure } from "../journal.ts";
import { fileStorage } from "../store/disk.ts";
import { artifactsOf, bucket, isPlain, relocate } from "./files.ts";
import { writeSession } from "./write.ts";

export type MoveFailure = JournalFailure | "unwritable";

/** Moves a session and its outputs to another working directory, or leaves both where they are. */
export async function moveSession(
  file: string,
  cwd: string,
  sessions: string,
  clock: Clock,
  rename = renameSync,
): Promise<Result<string, MoveFailure>> {
  const opened = Journal.open({ storage: fileStorage(file), clock, onFault: () => {} });
  if (!opened.ok) return opened;
  const { journal } = opened.value;
  const target = join(bucket(sessions, cwd), basename(file));
  let gone = false;
  try {
    if (existsSync(target)) return fail("unwritable", `${target} is already there.`);
    // The old file stays until everything else is in its place.
    writeSession(target, { ...journal.header, cwd }, journal.lines());
    let carried = false;
    try {
      if (isPlain(artifactsOf(file), "isDirectory")) {
        relocate(artifactsOf(file), artifactsOf(target), rename);
        carried = true;
      }
      if (isPlain(`${file}.bak`, "isFile")) copyFileSync(`${file}.bak`, `${target}.bak`);
      rmSync(file);
    } catch (error) {
      if (carried) relocate(artifactsOf(target), artifactsOf(file));
      for (const copy of [target, `${target}.bak`]) rmSync(copy, { force: true });
      throw error;
    }
    gone = true;
    return ok(target);
  } catch (error) {
    return fail("unwritable", `The session could not be moved: ${messageOf(error)}`);
  } finally {
    await journal.close();
    if (gone) for (const old of [".idx", ".bak"]) rmSync(`${file}${old}`, { force: true });
  }
}
