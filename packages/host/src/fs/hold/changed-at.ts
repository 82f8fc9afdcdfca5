import { tryOr } from "@pith/kit";
import { openFfi } from "../../platform.ts";

/** The time a name in a held folder was changed last, in epoch milliseconds; undefined where the system does not say. */
export type ChangedAt = (folder: number, name: string) => number | undefined;

/**
 * Asks the C library, which takes the handle of a folder; the runtime only takes paths, and each leads through `/proc`,
 * which takes longer than all the rest. Undefined where there is no such call.
 */
export function openChangedAt(): ChangedAt | undefined {
  const ffi = process.platform === "linux" ? openFfi() : undefined;
  if (!ffi) return undefined;
  const { dlopen, ptr } = ffi;
  return tryOr(() => {
    const { symbols } = dlopen("libc.so.6", {
      statx: { args: ["i32", "ptr", "i32", "u32", "ptr"], returns: "i32" },
    });
    const bytes = Buffer.alloc(maxName + 1);
    const words = new Uint32Array(structBytes / 4);
    const [nameAt, wordsAt] = [ptr(bytes), ptr(words)];
    return (folder, name) => {
      // A longer name is looked at in the other way.
      if (name.length > maxName / 3 || name.includes("\0")) return undefined;
      bytes[bytes.write(name)] = 0;
      if (symbols.statx(folder, nameAt, followLinks, modified, wordsAt) !== 0) return undefined;
      const [low = 0, high = 0, nanos = 0] = [words[secondsAt], words[secondsAt + 1], words[secondsAt + 2]];
      return ((high | 0) * 2 ** 32 + low) * 1000 + nanos / 1e6;
    };
  });
}

const maxName = 3 * 256;
/** The layout of the kernel, alike on every machine. */
const structBytes = 256;
const secondsAt = 112 / 4;
const followLinks = 0;
const modified = 0x40;
