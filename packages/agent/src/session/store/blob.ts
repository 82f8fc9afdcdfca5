import { fstatSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { closing, codeOf, hasher, openPlain, readRange, succeeds, tryOr, writeWhole } from "@pith/kit";

/** Content-addressed storage. */
export interface Blobs {
  /** Stores bytes and returns their reference; throws on failure. */
  put(bytes: Uint8Array): string;
  /** The bytes of a reference; null if missing or damaged. */
  get(ref: string): Buffer | null;
}

const prefix = "blob:sha256:";
export const isBlobRef = (text: unknown): text is string =>
  typeof text === "string" && /^blob:sha256:[0-9a-f]{64}$/.test(text);

/** Folder of the blobs. */
export const blobFolder = (home: string): string => join(home, "blobs");

/** Folders of omp's blobs, whose names are the same as ours. */
export function ompBlobFolders(userHome: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const agent = env.PI_CODING_AGENT_DIR || join(userHome, env.PI_CONFIG_DIR || ".omp", "agent");
  const data = env.XDG_DATA_HOME ? [join(env.XDG_DATA_HOME, "omp")] : [];
  return [agent, ...data].map((folder) => join(folder, "blobs"));
}

/**
 * Blobs in files. Folders in `elsewhere` are only read; what is found there is copied, since it may be removed there.
 */
export function fileBlobs(folder: string, now: () => number, elsewhere: readonly string[] = []): Blobs {
  return {
    put: (bytes) => {
      const name = hasher("sha256").update(bytes).digest("hex");
      const file = join(folder, name);
      // The new time protects it from the clean-up until it is referred to. A damaged blob is written again.
      if (readBlob(folder, name) === null || !touch(file, now())) writeWhole(file, bytes, "synced");
      return `${prefix}${name}`;
    },
    get: (ref) => {
      if (!isBlobRef(ref)) return null;
      const name = ref.slice(prefix.length);
      const own = readBlob(folder, name);
      if (own) return own;
      for (const other of elsewhere) {
        const bytes = readBlob(other, name);
        if (!bytes) continue;
        // If this fails it is still readable in the other folder.
        tryOr(() => writeWhole(join(folder, name), bytes, "synced"));
        return bytes;
      }
      return null;
    },
  };
}

export function memoryBlobs(): Blobs {
  const kept = new Map<string, Buffer>();
  return {
    put: (bytes) => {
      const ref = `${prefix}${hasher("sha256").update(bytes).digest("hex")}`;
      kept.set(ref, Buffer.from(bytes));
      return ref;
    },
    get: (ref) => kept.get(ref) ?? null,
  };
}

/** Reads a blob: a plain file of acceptable size whose content matches its name. */
function readBlob(folder: string, name: string): Buffer | null {
  let fd: number;
  try {
    fd = openPlain(join(folder, name), "refused");
  } catch (error) {
    if (notThere.has(String(codeOf(error)))) return null;
    throw error;
  }
  using _ = closing(fd);
  const bytes = readRange(fd, 0, Math.min(fstatSync(fd).size, longest));
  return hasher("sha256").update(bytes).digest("hex") === name ? bytes : null;
}
const longest = 1 << 28;
const notThere: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENOTFILE", "ELOOP", "EACCES"]);

const touch = (file: string, now: number): boolean => succeeds(() => utimesSync(file, now / 1000, now / 1000));
