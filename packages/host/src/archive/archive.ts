import { closeSync, readSync } from "node:fs";
import { fail, ok, type Result } from "@pith/kit";
import { fsFailure } from "../fs/failure.ts";
import { openFile } from "../fs/open.ts";
import { type Page, type PageRequest, takePage } from "../fs/page.ts";
import { applySteps, type Filling } from "../fs/replace.ts";
import { type AnyTarget, findAny } from "../fs/target.ts";
import type { Packing } from "./bytes.ts";
import { type ArchiveFailure, ArchiveFault, type Format, type Found, type NewFile } from "./entry.ts";

/** Endings of archives that can be looked into. */
export const archiveEnding =
  /\.(?:tar(?:\.(?:gz|zst|xz|bz2))?|tgz|tzst|txz|tbz2?|zip|jar|war|ear|whl|egg|nupkg|vsix|xpi|gz|zst|xz|bz2)$/i;
const zipEnding = /\.(?:zip|jar|war|ear|whl|egg|nupkg|vsix|xpi)$/i;
const tarEnding = /\.(?:tar(?:\.\w+)?|tgz|tzst|txz|tbz2?)$/i;

/** Of a file that is packed by itself, not together with others. */
export const isSingle = (path: string): boolean =>
  archiveEnding.test(path) && !zipEnding.test(path) && !tarEnding.test(path);

export const listArchive = (path: string, signal: AbortSignal): Promise<Result<Found, ArchiveFailure>> =>
  guarded(path, async (format) => format.list(path, signal));

/** The content of one file of an archive. */
export const readMember = (
  path: string,
  name: string,
  max: number,
  signal: AbortSignal,
): Promise<Result<Buffer, ArchiveFailure>> => guarded(path, async (format) => format.read(path, name, max, signal));

/** Some lines of a file of an archive, of any length: memory stays at the size of the page. */
export async function pageMember(
  path: string,
  name: string,
  request: PageRequest,
): Promise<Result<Page, ArchiveFailure>> {
  const taken = await guarded(path, async (format) => {
    const { signal = new AbortController().signal } = request;
    return takePage(`${path}:${name}`, format.pieces(path, name, signal), undefined, request);
  });
  return taken.ok ? taken.value : taken;
}

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
  if (zipEnding.test(path)) return (await import("./zip.ts")).zip;
  const packing = packingOf(path);
  return isSingle(path) ? (await import("./single.ts")).single(packing) : (await import("./tar.ts")).tar(packing);
}

const signs: readonly [Packing, number[]][] = [
  ["gzip", [0x1f, 0x8b]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ["bzip2", [0x42, 0x5a, 0x68]],
];

/** By its first bytes; a new one by its name. */
function packingOf(path: string): Packing {
  const named = /gz$/i.test(path) ? "gzip" : /zst$/i.test(path) ? "zstd" : /xz$/i.test(path) ? "xz" : undefined;
  const byName: Packing = named ?? (/bz2?$/i.test(path) ? "bzip2" : "plain");
  const opened = openFile(path);
  if (!opened.ok) return byName;
  try {
    const head = Buffer.alloc(6);
    if (readSync(opened.value.fd, head, 0, head.length, 0) < 2) return byName;
    return signs.find(([, sign]) => sign.every((byte, i) => head[i] === byte))?.[0] ?? "plain";
  } finally {
    closeSync(opened.value.fd);
  }
}
