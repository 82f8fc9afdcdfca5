// Prose is in .md files next to the code. Each file is imported by some source; a file with {{holes}} only by sources
// that fill them.
import { dirname, join } from "node:path";
import { finish } from "./ratchet.ts";
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
  finish({ findings }, `${prose.length} prose files`);
}
