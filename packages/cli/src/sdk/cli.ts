// `import … from "pith/cli"`: the program itself, inside of another one. Bun only.
import { runtimeFault } from "../guard.ts";

/** Runs `pith` with these arguments, on this process's terminal and signals; its exit code. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<number> {
  const fault = runtimeFault({ width: typeof Bun === "undefined" ? undefined : Bun.stringWidth });
  if (fault) throw new Error(fault);
  const [{ run }, { processIo }] = await Promise.all([import("../command/run.ts"), import("../io/io.ts")]);
  return run(argv, processIo());
}
