import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fail, isOwnFolder, ok, type Result, readRange, tryOr } from "@pith/kit";
import { scanLines } from "./index/scan.ts";
import { withFile } from "./library/files.ts";

/** Full texts of outputs that were too long for the model, beside the session's file. */
export interface Artifacts {
  /**
   * Allocates a place; nothing is written but the directory. Undefined when there is no place; the tool goes on
   * without.
   */
  allocate(toolType: string): Artifact | undefined;
  /** File of `artifact://<id>`. */
  resolve(id: string): Result<string, "bad-id" | "no-session" | "no-directory" | "unknown">;
}

export interface Artifact {
  id: string;
  path: string;
}

/**
 * `session` is the journal's file, or returns it; artifacts are in the directory of the same name without `.jsonl`. A
 * session may be a stranger's, so links are treated as missing.
 */
export function openArtifacts(session: string | undefined | (() => string)): Artifacts {
  const fileNow = typeof session === "function" ? session : () => session;
  const folder = () => fileNow()?.replace(/\.jsonl$/, "");
  let next: number | undefined;
  return {
    allocate(toolType) {
      const directory = folder();
      if (directory === undefined) return undefined;
      return tryOr(() => {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        next ??= 1 + highest(directory, fileNow());
        const id = String(next++);
        return { id, path: join(directory, `${id}.${toolType.replace(/[^\w-]/g, "-")}.log`) };
      });
    },
    resolve(id) {
      if (!/^\d+$/.test(id)) return fail("bad-id", `artifact://${id}: an artifact is named by its number`);
      const directory = folder();
      if (directory === undefined) return fail("no-session", "There is no session that has kept anything");
      const files = tryOr(() => numbered(directory))?.filter(({ isFile }) => isFile);
      if (!files) return fail("no-directory", "This session has kept no output");
      const artifact = files.find((file) => file.id === Number(id));
      if (artifact) return ok(join(directory, artifact.name));
      const available = files.map((file) => file.id).sort((a, b) => a - b);
      return fail("unknown", `Artifact ${id} not found. Available: ${available.join(", ") || "none"}`);
    },
  };
}

/**
 * Highest number in use, so that a number never changes its meaning. Where the outputs are gone (a copy without them, a
 * removed folder), the numbers in the record count.
 */
function highest(directory: string, sessionFile: string | undefined): number {
  const kept = numbered(directory).reduce((most, { id }) => Math.max(most, id), -1);
  return kept >= 0 || sessionFile === undefined ? kept : highestCited(sessionFile);
}

/** Highest artifact number in a record; -1 for none. */
export function highestCited(sessionFile: string): number {
  let most = -1;
  withFile(sessionFile, (fd) => {
    // The prompt contains addresses as examples.
    for (const { bytes } of scanLines((from, to) => readRange(fd, from, to), 0, Number.POSITIVE_INFINITY))
      if (bytes.includes("artifact://") && !bytes.includes('"pith.prompt"'))
        for (const [, id] of bytes.toString("latin1").matchAll(/artifact:\/\/(\d{1,9})/g))
          most = Math.max(most, Number(id));
  });
  return most;
}

interface Numbered {
  id: number;
  name: string;
  /** False for other things, which only reserve their number. */
  isFile: boolean;
}

function numbered(directory: string): Numbered[] {
  if (!isOwnFolder(directory)) throw new Error(`${directory} is a link`);
  return readdirSync(directory, { withFileTypes: true }).flatMap((item) => {
    const id = /^(\d{1,15})\.(?:.*\.)?log$/.exec(item.name)?.[1];
    return id === undefined ? [] : [{ id: Number(id), name: item.name, isFile: item.isFile() }];
  });
}
