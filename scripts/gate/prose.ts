// Prose lives in .md files beside the code. Each must be imported by some source, and one with {{holes}} only by
// sources that fill them.
import { dirname, join } from "node:path";
import { reachOf } from "./source.ts";
import { proseFiles, type SourceFile, sourceFiles } from "./tree.ts";

export function judgeProse(prose: readonly SourceFile[], sources: readonly SourceFile[]): string[] {
  const users = usersOf(sources);
  return prose.flatMap(({ path, text }) => {
    const mine = users.get(path) ?? [];
    if (mine.length === 0) return [`${path} is imported by no source`];
    if (!/\{\{\w+\}\}/.test(text)) return [];
    return mine
      .filter((user) => !/\bfill\(/.test(user.text))
      .map((user) => `${path} has holes, and ${user.path} does not fill them`);
  });
}

function usersOf(sources: readonly SourceFile[]): Map<string, SourceFile[]> {
  const users = new Map<string, SourceFile[]>();
  for (const source of sources) {
    if (source.path.endsWith(".test.ts")) continue;
    for (const { specifier } of reachOf(source.text).imports) {
      if (!specifier.endsWith(".md")) continue;
      const path = join(dirname(source.path), specifier);
      users.set(path, [...(users.get(path) ?? []), source]);
    }
  }
  return users;
}

if (import.meta.main) {
  const prose = await proseFiles();
  const findings = judgeProse(prose, await sourceFiles());
  for (const text of findings) process.stdout.write(`${text}\n`);
  process.stdout.write(`${prose.length} prose files, ${findings.length} violations\n`);
  process.exit(findings.length > 0 ? 1 : 0);
}
