// Which test files reach a source file by their imports, the nearest first.
import { dirname, join, normalize } from "node:path";
import { reachOf } from "../gate/source.ts";
import { filesBelow, readFiles, root } from "../gate/tree.ts";

export interface TestGraph {
  /** Test files that import a source file, directly or through others; the nearest first. */
  testsOf(path: string): string[];
}

export async function readGraph(): Promise<TestGraph> {
  const paths = ["packages/*/src/**/*.ts", "{test,scripts,bench}/**/*.ts"].flatMap(filesBelow);
  const doors = await doorsOf();
  const importers = new Map<string, string[]>();
  for (const { path, text } of await readFiles(paths))
    for (const { specifier } of reachOf(text).imports) {
      const to = specifier.startsWith(".") ? normalize(join(dirname(path), specifier)) : doors.get(specifier);
      if (to !== undefined) importers.set(to, [...(importers.get(to) ?? []), path]);
    }
  return {
    testsOf(path) {
      const found: string[] = [];
      const seen = new Set([path]);
      let edge = [path];
      while (edge.length > 0) {
        edge = [...new Set(edge.flatMap((file) => importers.get(file) ?? []))].filter((file) => !seen.has(file));
        for (const file of edge) seen.add(file);
        found.push(...edge.filter(isTest));
        edge = edge.filter((file) => !isTest(file));
      }
      return found.sort((a, b) => Number(isOwn(b, path)) - Number(isOwn(a, path)));
    },
  };
}

const isTest = (path: string) => path.endsWith(".test.ts");
const isOwn = (test: string, path: string) => test.replace(/\.test\.ts$/, ".ts") === path;

/** The files that `@pith/…` names lead to. */
async function doorsOf(): Promise<Map<string, string>> {
  const doors = new Map<string, string>();
  for (const manifest of filesBelow("packages/*/package.json")) {
    const { name, exports } = await Bun.file(join(root, manifest)).json();
    for (const [door, file] of Object.entries(exports ?? {}))
      if (typeof file === "string") doors.set(normalize(join(name, door)), normalize(join(dirname(manifest), file)));
  }
  return doors;
}
