// The ratchet on file size. 800 lines are refused; a file above 500 stands in size.json with its reason and may only
// shrink. `--write` lowers the figures that can be lowered and drops entries that are no longer needed.
import { join } from "node:path";
import { sourceFiles } from "./tree.ts";

const refused = 800;
const watched = 500;

export type Allowed = Record<string, { lines: number; reason: string }>;

/** What is wrong with these line counts, one sentence each. */
export function judgeSizes(lines: ReadonlyMap<string, number>, allowed: Allowed): string[] {
  const findings: string[] = [];
  for (const [file, count] of lines) {
    const entry = allowed[file];
    if (count > refused) findings.push(`${file} has ${count} lines; ${refused} is the limit. ${question}`);
    else if (count > watched && !entry?.reason)
      findings.push(
        `${file} has ${count} lines; above ${watched} it needs a reason in scripts/gate/size.json. ${question}`,
      );
    else if (entry && count > entry.lines)
      findings.push(`${file} grew from ${entry.lines} to ${count} lines; it may only shrink. ${question}`);
    else if (entry && count < entry.lines)
      findings.push(`${file} shrank to ${count} lines: run \`node bin/bun scripts/gate/size.ts --write\``);
  }
  for (const file of Object.keys(allowed))
    if (!lines.has(file)) findings.push(`${file} is in scripts/gate/size.json and does not exist`);
  return findings;
}

/** The same list with every figure as low as it can be. */
export function lower(lines: ReadonlyMap<string, number>, allowed: Allowed): Allowed {
  const kept = Object.entries(allowed).flatMap(([file, entry]) => {
    const count = lines.get(file) ?? 0;
    return count > watched ? [[file, { ...entry, lines: Math.min(entry.lines, count) }] as const] : [];
  });
  return Object.fromEntries(kept);
}

const question = "Which state does it own, and which of its parts could own theirs? Split by owner, not by line count.";

if (import.meta.main) {
  const list = join(import.meta.dir, "size.json");
  const allowed: Allowed = await Bun.file(list).json();
  const lines = new Map<string, number>();
  for (const { path, text } of await sourceFiles()) lines.set(path, text.split("\n").length - 1);
  if (process.argv.includes("--write")) await Bun.write(list, `${JSON.stringify(lower(lines, allowed), null, 2)}\n`);
  const findings = judgeSizes(lines, await Bun.file(list).json());
  const [longest = ["none", 0]] = [...lines].sort((a, b) => b[1] - a[1]);
  for (const text of findings) process.stdout.write(`${text}\n`);
  process.stdout.write(
    `${lines.size} files, the longest ${longest[0]} with ${longest[1]} lines, ${findings.length} violations\n`,
  );
  process.exit(findings.length > 0 ? 1 : 0);
}
