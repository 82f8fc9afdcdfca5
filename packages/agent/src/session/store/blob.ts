import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, hasher } from "@pith/kit";

/** Bytes kept once, under the name of their content. */
export interface Blobs {
  /** Keeps bytes and returns their reference. Throws when they cannot be kept. */
  put(bytes: Uint8Array): string;
  /** The bytes of a reference, or null when they are not there. */
  get(ref: string): Buffer | null;
}

const prefix = "blob:sha256:";
export const isBlobRef = (text: unknown): text is string =>
  typeof text === "string" && /^blob:sha256:[0-9a-f]{64}$/.test(text);

/** Where all sessions below a home keep theirs. */
export const blobFolder = (home: string): string => join(home, "blobs");

export function fileBlobs(folder: string, now: () => number): Blobs {
  return {
    put: (bytes) => {
      const name = hasher("sha256").update(bytes).digest("hex");
      const file = join(folder, name);
      // A fresh time tells the clean-up that somebody is about to refer to it.
      if (!touch(file, now())) writeWhole(folder, file, bytes);
      return `${prefix}${name}`;
    },
    get: (ref) => {
      if (!isBlobRef(ref)) return null;
      try {
        return readFileSync(join(folder, ref.slice(prefix.length)));
      } catch (error) {
        if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null;
        throw error;
      }
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

function touch(file: string, now: number): boolean {
  try {
    utimesSync(file, now / 1000, now / 1000);
    return true;
  } catch {
    return false;
  }
}

function writeWhole(folder: string, file: string, bytes: Uint8Array): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(fresh, bytes, { mode: 0o600, flush: true });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
