// Some tests need a program that not every machine has. They ask here, and are skipped with the reason; under
// .ci/run, which installs them all, a missing one fails the test file instead.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Why tests that need this program must be skipped, or undefined when it is there: `test.skipIf(need("tmux") !==
 * undefined)`.
 */
export function need(program: string): string | undefined {
  if (Bun.which(program)) return undefined;
  const reason = `${program} is missing (${packageOf(program)})`;
  if (process.env.PITH_CI === "1") throw new Error(reason);
  process.stderr.write(`skip: ${reason}\n`);
  return reason;
}

/** Why tests of the built file must be skipped, or undefined when it is there. The gate builds it first. */
export function needBinary(): string | undefined {
  if (process.env.PITH_GATE === "1" || Bun.file(binary).size > 0) return undefined;
  const reason = "dist/pith is not built (npm run build)";
  process.stderr.write(`skip: ${reason}\n`);
  return reason;
}

export const root = join(import.meta.dir, "..");
export const binary = join(root, "dist", "pith");

function packageOf(program: string): string {
  const rows = readFileSync(join(root, ".ci", "packages"), "utf8").split("\n");
  const row = rows.map((line) => line.trim().split(/\s+/)).find(([name]) => name === program);
  return row?.[1] ? `apt-get install ${row[1]}` : "not in .ci/packages: add it there";
}
