// The files that carry promises: a change of theirs that no test notices is a fault.
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Promises {
  /** Files by the promise that they carry, as globs, with tests that reach them through the whole program. */
  rooms: Record<string, { files: string[]; tests: string[] }>;
  /** The most excuses there may be; it may only become lower. */
  mostExcused: number;
  /** Reasons why a change that no test notices is no fault, by `<path>#<id>`. */
  excused: Record<string, string>;
}
export const promises: Promises = JSON.parse(readFileSync(join(import.meta.dir, "promises.json"), "utf8"));

export function roomOf(path: string): string | undefined {
  return Object.keys(promises.rooms).find((room) =>
    promises.rooms[room]?.files.some((glob) => new Bun.Glob(glob).match(path)),
  );
}

export const testsOfRoom = (path: string): string[] => promises.rooms[roomOf(path) ?? ""]?.tests ?? [];
