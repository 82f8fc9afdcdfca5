import { closeSync, readSync } from "node:fs";
import { fail, ok, type Result } from "@pith/kit";
import { fsFailure } from "../fs/failure.ts";
import { openFile } from "../fs/open.ts";
import { type AnyTarget, applySteps, type Filling, findAny } from "../fs/replace.ts";
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
export async function writeMember(
  at: string | AnyTarget,
  file: NewFile,
): Promise<Result<{ change: "created" | "replaced" }, ArchiveFailure>> {
  const place = typeof at === "string" ? findAny(at, 0) : ok(at);
  if (!place.ok) return place;
  const target = place.value;
  return guarded(target.real, async (format) => {
    const [old, change] =
      target.is === "missing" ? [undefined, "created" as const] : [target.real, "replaced" as const];
    let fault: unknown;
    const fill: Filling["fill"] = async (put) => {
      try {
        await format.copy(old, file, put);
      } catch (thrown) {
        fault = thrown;
        throw thrown;
      }
    };
    const done = await applySteps([{ do: "fill", target, fill }]);
    if (!done.ok) throw fault ?? new ArchiveFault(done.refused.kind, done.refused.message);
    return { change };
  });
}

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
