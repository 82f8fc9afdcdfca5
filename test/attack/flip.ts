import { chmodSync } from "node:fs";
import type { Scratch } from "../scratch.ts";

/** Exchanges two names in one step, so that there is always something to go through. */
const flipping = `
const { dlopen } = require("bun:ffi");
const { renameat2 } = dlopen("libc.so.6", {
  renameat2: { args: ["i32", "cstring", "i32", "cstring", "u32"], returns: "i32" },
}).symbols;
const [a, b] = process.argv.slice(1).map((name) => Buffer.from(name + "\\0"));
const exchange = () => renameat2(-100, a, -100, b, 2) === 0;
if (exchange()) require("node:fs").writeSync(1, "flipping");
while (exchange()) {}
`;

export interface Flipper {
  flips: "yes" | "no";
  stop(): Promise<unknown>;
}

const another = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

/**
 * Swaps the folder `work/d` for the link `work/l`, and back, without end. As another user where we are root: the one
 * who swaps need not be the one who writes.
 */
export async function flip(dir: Scratch): Promise<Flipper> {
  for (const path of [dir.path, dir.at("work")]) chmodSync(path, 0o777);
  for (const as of process.getuid?.() === 0 && Bun.which("setpriv") ? [another, []] : [[]]) {
    const child = Bun.spawn([...as, process.execPath, "-e", flipping, dir.at("work", "d"), dir.at("work", "l")], {
      cwd: "/",
      env: { BUN_BE_BUN: "1" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const { value } = await child.stdout.getReader().read();
    const stop = () => {
      child.kill("SIGKILL");
      return child.exited;
    };
    if (value) return { flips: "yes", stop };
  }
  return { flips: "no", stop: async () => {} };
}
