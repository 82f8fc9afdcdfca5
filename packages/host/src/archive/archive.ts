import { closeSync, readSync, statSync } from "node:fs";
import { fail, ok, type Result } from "@pith/kit";
import { fsFailure } from "../fs/failure.ts";
import { openFile } from "../fs/open.ts";
import { rewriteFile } from "../fs/rewrite.ts";
import { type ArchiveFailure, ArchiveFault, type Format, type Found, type NewFile } from "./entry.ts";

/** Endings of archives that can be looked into. */
export const archiveEnding = /\.(?:tar\.gz|tgz|tar|zip)$/i;

export const listArchive = (path: string, signal: AbortSignal): Promise<Result<Found, ArchiveFailure>> =>
  guarded(path, async (format) => format.list(path, signal));

/** The content of one file of an archive. */
export const readMember = (
  path: string,
  name: string,
  max: number,
  signal: AbortSignal,
): Promise<Result<Buffer, ArchiveFailure>> => guarded(path, async (format) => format.read(path, name, max, signal));

/** Replaces or adds one file; all others stay as they are. A missing archive is made. */
export const writeMember = (
  path: string,
  file: NewFile,
): Promise<Result<{ change: "created" | "replaced" }, ArchiveFailure>> =>
  guarded(path, async (format) => {
    const old = statSync(path, { throwIfNoEntry: false }) ? path : undefined;
    await rewriteFile(path, (put) => format.copy(old, file, put));
    return { change: old === undefined ? "created" : "replaced" };
  });

async function guarded<T>(path: string, use: (format: Format) => Promise<T>): Promise<Result<T, ArchiveFailure>> {
  try {
    return ok(await use(await formatOf(path)));
  } catch (thrown) {
    if (!(thrown instanceof ArchiveFault)) return fsFailure(path, thrown);
    return fail(thrown.kind, thrown.message.startsWith(path) ? thrown.message : `${path}: ${thrown.message}`);
  }
}

async function formatOf(path: string): Promise<Format> {
  if (/\.zip$/i.test(path)) return (await import("./zip.ts")).zip;
  const { tar } = await import("./tar.ts");
  return tar(isGzip(path) ? "gzip" : "plain");
}

/** By its first bytes; a new one by its name. */
function isGzip(path: string): boolean {
  const opened = openFile(path);
  if (!opened.ok) return /gz$/i.test(path);
  try {
    const head = Buffer.alloc(2);
    if (readSync(opened.value.fd, head, 0, 2, 0) < 2) return /gz$/i.test(path);
    return head[0] === 0x1f && head[1] === 0x8b;
  } finally {
    closeSync(opened.value.fd);
  }
}
