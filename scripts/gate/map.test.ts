import { expect, test } from "bun:test";
import { mapSections, unknownPaths, unnamedFolders } from "./map.ts";
import { judgeCounts } from "./ratchet.ts";

const files = [
  "packages/coder/src/hall/open.ts",
  "packages/coder/src/part/todo/todo.ts",
  "packages/coder/src/test/fake.ts",
  "packages/kit/src/path.ts",
  "scripts/gate/map.ts",
];
const page = (text: string, path = "packages/coder/README.md") => ({ path, text });

test("a path in backquotes that does not exist is found on each page", () => {
  const unknown = (text: string, path?: string) => unknownPaths(page(text, path), files);
  expect(unknown("`hall/`, `hall/open.ts`, `src/hall`, `kit/path.ts`, `part/<name>/`, `scripts/gate`")).toEqual([]);
  expect(unknown("`desk/`, `hall/gone.ts` and `path.ts`")).toEqual(["desk/", "hall/gone.ts", "path.ts"]);
  expect(unknown("`coder/hall`, `open.ts`, `packages/kit/src`", "docs/architecture.md")).toEqual([]);
  expect(unknown("`cli/hall`", "docs/architecture.md")).toEqual(["cli/hall"]);
  expect(unknown("`kit`, `https://a/b`, `/proc`, `f(a/b)`, `@pith/kit`, desk/")).toEqual([]);
});

test("a folder that no page names is found, two levels deep in coder", () => {
  const unnamed = (text: string, path?: string) => unnamedFolders([page(text, path)], files);
  expect(unnamed("")).toEqual(["coder/hall", "coder/part", "coder/part/todo"]);
  expect(unnamed("`hall/open.ts` is in `part`")).toEqual(["coder/part/todo"]);
  for (const text of ["`hall/` and `part/<name>/`", "| `hall/` |\n| `part/` | `todo/` |"])
    expect(unnamed(text)).toEqual([]);
  expect(unnamed("Inside `coder`: `hall`\n◄ `part/todo`", "docs/architecture.md")).toEqual([]);
  expect(unnamed("`hall`, `part/todo`", "docs/architecture.md")).toHaveLength(3);
});

test("a miss fails the gate once its list is tight", () => {
  const judge = (tight: boolean) =>
    Object.values(mapSections([page("`desk/` `part/todo`")], files)).flatMap(
      ({ counts, ratchet }) => judgeCounts(counts, {}, { ...ratchet, rule: "map", tight }).findings,
    );
  expect(judge(true)).toMatchObject([
    expect.stringMatching(/README.md: `desk\/` has 1 path/),
    expect.stringMatching(/coder\/hall/),
  ]);
  expect(judge(false)).toEqual([]);
});
