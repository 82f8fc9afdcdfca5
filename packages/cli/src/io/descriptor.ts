import { write as writeLater, writeSync } from "node:fs";
import { sleep } from "@pith/kit";
import type { Target } from "./out.ts";

/** How long a full pipe is left alone before it is tried again: short at first, never so long that it runs dry. */
const [shortMs, longMs] = [1, 16];

/**
 * Writes to a file descriptor from where the last write ended. Whether it blocks is not ours to say: a parent may hand
 * over a pipe that does not, and anything in this process may change it. `Bun.write` then begins again at the start.
 */
export function descriptor(fd: number, write: typeof writeSync = writeSync): Target {
  return async (text) => {
    const bytes = Buffer.from(text);
    let wait = shortMs;
    for (let at = 0; at < bytes.length; ) {
      try {
        at += write(fd, bytes, at);
        wait = shortMs;
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code === "EINTR") continue;
        if (code !== "EAGAIN") throw error;
        await sleep(wait);
        wait = Math.min(longMs, wait * 2);
      }
    }
  };
}

/** The same, and never holds this process up: a reader that stands still keeps a thread waiting, not us. */
export function patient(fd: number): Target {
  return async (text) => {
    const bytes = Buffer.from(text);
    let wait = shortMs;
    for (let at = 0; at < bytes.length; ) {
      const done = await new Promise<number | NodeJS.ErrnoException>((tell) =>
        writeLater(fd, bytes, at, bytes.length - at, null, (error, written) => tell(error ?? written)),
      );
      if (typeof done === "number") {
        at += done;
        wait = shortMs;
      } else if (done.code === "EAGAIN") {
        await sleep(wait);
        wait = Math.min(longMs, wait * 2);
      } else if (done.code !== "EINTR") throw done;
    }
  };
}
