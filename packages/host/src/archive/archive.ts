import { fail, ok, type Result } from "@pith/kit";
import { fsFailure } from "../fs/failure.ts";
import { readPart } from "../fs/open.ts";
import { type Page, type PageRequest, takePage } from "../fs/page.ts";
import { applySteps } from "../fs/replace.ts";
import { type AnyTarget, findAny } from "../fs/target.ts";
import type { Packing } from "./bytes.ts";
import { isSingle, zipEnding } from "./ending.ts";
import {
  type ArchiveFailure,
  ArchiveFault,
  type ArchiveListing,
  type Format,
  type NewFile,
  wholeMember,
} from "./entry.ts";

type Answer<T> = Promise<Result<T, ArchiveFailure>>;

export const listArchive = (path: string, signal: AbortSignal): Answer<ArchiveListing> =>
  guarded(path, (format) => format.list(path, signal));

/** The content of a file of an archive. */
export const readMember = (path: string, name: string, max: number, signal: AbortSignal): Answer<Buffer> =>
  guarded(path, (format) => wholeMember(format, path, name, { max, signal }));

/** Some lines of a file of an archive, of any length: memory stays at the size of the page. */
export async function pageMember(path: string, name: string, request: PageRequest): Answer<Page> {
  const { signal = new AbortController().signal } = request;
  const taken = await guarded(path, (format) =>
    takePage(`${path}:${name}`, format.pieces(path, name, signal), undefined, request),
  );
  return taken.ok ? taken.value : taken;
}

/** Replaces or adds one file; all others stay as they are. A missing archive is made. */
export async function writeMember(at: string | AnyTarget, file: NewFile): Answer<{ change: "created" | "replaced" }> {
  const found = typeof at === "string" ? findAny(at, 0) : ok(at);
  if (!found.ok) return found;
  const target = found.value;
  return guarded(target.real, async (format) => {
    const old = target.is === "missing" ? undefined : target.real;
    let fault: unknown;
    const fill = async (put: (bytes: Uint8Array) => void) => {
      try {
        for await (const bytes of format.copy(old, file)) put(bytes);
      } catch (thrown) {
        fault = thrown;
        throw thrown;
      }
    };
    const done = await applySteps([{ do: "fill", target, fill }]);
    if (!done.ok) throw fault ?? new ArchiveFault(done.refused.kind, done.refused.message);
    return { change: old === undefined ? "created" : "replaced" };
  });
}

async function guarded<T>(path: string, use: (format: Format) => Promise<T>): Answer<T> {
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

const packings: readonly { packing: Packing; ending: RegExp; sign: readonly number[] }[] = [
  { packing: "gzip", ending: /gz$/i, sign: [0x1f, 0x8b] },
  { packing: "zstd", ending: /zst$/i, sign: [0x28, 0xb5, 0x2f, 0xfd] },
  { packing: "xz", ending: /xz$/i, sign: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0] },
  { packing: "bzip2", ending: /bz2?$/i, sign: [0x42, 0x5a, 0x68] },
];

/** Told by the first bytes of a file; by its name while it has none. */
function packingOf(path: string): Packing {
  const head = readPart(path, 0, 6);
  const known = packings.find(({ ending, sign }) =>
    head && head.length > 1 ? sign.every((byte, i) => head[i] === byte) : ending.test(path),
  );
  return known?.packing ?? "plain";
}
