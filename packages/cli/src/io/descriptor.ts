import { write as writeAsync, writeSync } from "node:fs";
import { sleep } from "@pith/kit";
import type { WriteText } from "./out.ts";

/** Milliseconds for which a full pipe is left alone before it is tried again: short at first, never very long. */
const [minWaitMs, maxWaitMs] = [1, 16];

/**
 * Writes to a file descriptor from where the last write ended. A parent may hand over a pipe that does not block, and
 * anything in this process may make it so; `Bun.write` then begins again at the start.
 */
export const descriptor = (fd: number, write: typeof writeSync = writeSync): WriteText =>
  writer(async (bytes, at) => write(fd, bytes, at));

/** The same, and never holds this process up: a reader that stands still keeps a thread waiting. */
export const patient = (fd: number): WriteText =>
  writer(
    (bytes, at) =>
      new Promise((done, failed) => {
        writeAsync(fd, bytes, at, bytes.length - at, null, (error, written) => (error ? failed(error) : done(written)));
      }),
  );

const writer = (write: (bytes: Buffer, at: number) => Promise<number>) => async (text: string) => {
  const bytes = Buffer.from(text);
  let wait = minWaitMs;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += await write(bytes, at);
      wait = minWaitMs;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === "EINTR") continue;
      if (code !== "EAGAIN") throw error;
      await sleep(wait);
      wait = Math.min(maxWaitMs, wait * 2);
    }
  }
};
