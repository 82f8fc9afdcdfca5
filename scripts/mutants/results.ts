// What earlier runs found, by content: a run goes on where another one ended, or stands beside it.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { root } from "../gate/tree.ts";

export interface Results {
  /** Name that changes with what a text says; for a test its file. */
  keyOf(...parts: string[]): string;
  /** Key of a test file: its path and text. */
  testKey(path: string): string;
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/** Opens the file of results in the user's cache. Lines are appended whole, so two runs may share it. */
export function openResults(): Results {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pith-mutants");
  const file = join(folder, "results-2.jsonl");
  const known = new Map<string, string>();
  mkdirSync(folder, { recursive: true });
  for (const line of existsSync(file) ? readFileSync(file, "utf8").split("\n") : []) {
    const [, key, value] = /^([0-9a-f]{32}) (.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) known.set(key, value);
  }
  const keyOf = (...parts: string[]) =>
    new Bun.CryptoHasher("sha256").update(parts.join("\0")).digest("hex").slice(0, 32);
  const tests = new Map<string, string>();
  return {
    keyOf,
    testKey(path) {
      const key = tests.get(path) ?? keyOf(path, readFileSync(join(root, path), "utf8"));
      tests.set(path, key);
      return key;
    },
    get: (key) => known.get(key),
    set(key, value) {
      known.set(key, value);
      appendFileSync(file, `${key} ${value}\n`);
    },
  };
}
