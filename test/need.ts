// Skips tests that need a program which this machine lacks, and prints the reason. Under .ci/run, which installs all of
// them, a missing program fails the test file instead.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Reason to skip tests that need this program, or undefined if it is there: `test.skipIf(need("tmux") !==
 * undefined)`.
 */
export function need(program: string): string | undefined {
  if (Bun.which(program)) return undefined;
  const reason = `${program} is missing (${packageOf(program)})`;
  if (process.env.PITH_CI === "1") throw new Error(reason);
  process.stderr.write(`skip: ${reason}\n`);
  return reason;
}

/** Folder of another agent's package, from the variable that names it; undefined if tests with it must be skipped. */
export function needPeer(variable: string): string | undefined {
  const folder = process.env[variable];
  if (folder && existsSync(join(folder, "package.json"))) return folder;
  const [, name, version] = rowsOf("peers").find(([row]) => row === variable) ?? [];
  const reason = `${variable} names no folder of ${name}@${version} (see .ci/peers)`;
  if (process.env.PITH_CI === "1") throw new Error(reason);
  process.stderr.write(`skip: ${reason}\n`);
  return undefined;
}

/** Reason to skip tests of dist/pith, or undefined if it is there. The gate builds it before the tests. */
export function needBinary(): string | undefined {
  if (process.env.PITH_GATE === "1" || Bun.file(binary).size > 0) return undefined;
  const reason = "dist/pith is not built (npm run build)";
  process.stderr.write(`skip: ${reason}\n`);
  return reason;
}

export const root = join(import.meta.dir, "..");
export const binary = join(root, "dist", "pith");

const rowsOf = (list: "packages" | "peers"): string[][] =>
  readFileSync(join(root, ".ci", list), "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));

function packageOf(program: string): string {
  const row = rowsOf("packages").find(([name]) => name === program);
  return row?.[1] ? `apt-get install ${row[1]}` : "not in .ci/packages: add it there";
}
