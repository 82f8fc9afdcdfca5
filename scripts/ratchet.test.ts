import { expect, test } from "bun:test";
import { judgeProse } from "./prose.ts";
import { judgeSizes, lower } from "./size.ts";
import { sourceFiles } from "./tree.ts";

const lines = (count: number) => new Map([["a.ts", count]]);
const allowed = (count: number) => ({ "a.ts": { lines: count, reason: "one table" } });

test("a file that grew too long is refused, and its author is asked about owners", () => {
  expect(judgeSizes(lines(500), {})).toEqual([]);
  expect(judgeSizes(lines(501), {})[0]).toMatch(/501 lines; above 500 it needs a reason.*Which state does it own/);
  expect(judgeSizes(lines(501), { "a.ts": { lines: 501, reason: "" } })).toHaveLength(1);
  expect(judgeSizes(lines(801), allowed(801))[0]).toMatch(/800 is the limit/);
});

test("a long file with a reason may shrink and never grow", () => {
  expect(judgeSizes(lines(600), allowed(600))).toEqual([]);
  expect(judgeSizes(lines(601), allowed(600))[0]).toMatch(/grew from 600 to 601/);
  expect(judgeSizes(lines(599), allowed(600))[0]).toMatch(/shrank to 599/);
  expect(judgeSizes(new Map(), allowed(600))[0]).toMatch(/does not exist/);
  expect(lower(lines(599), allowed(600))).toEqual(allowed(599));
  expect(lower(lines(601), allowed(600))).toEqual(allowed(600));
  expect(lower(lines(480), allowed(600))).toEqual({});
});

test("prose that nobody reads, or whose holes nobody fills, is found", () => {
  const prose = [
    { path: "p/a.md", text: "plain" },
    { path: "p/b.md", text: "with {{hole}}" },
  ];
  const user = (text: string) => [{ path: "p/x/c.ts", text }];
  expect(judgeProse(prose, user('import a from "../a.md";'))).toEqual(["p/b.md is imported by no source"]);
  expect(judgeProse(prose, user('import a from "../a.md"; import b from "../b.md"; use(b);'))).toEqual([
    "p/b.md has holes, and p/x/c.ts does not fill them",
  ]);
  expect(
    judgeProse(
      prose,
      user('import a from "../a.md"; const b = await import("../b.md"); fill(b.default, { hole: 1 });'),
    ),
  ).toEqual([]);
  expect(
    judgeProse(prose, [{ path: "p/a.test.ts", text: 'import a from "./a.md"; import b from "./b.md";' }]),
  ).toHaveLength(2);
});

test("the checks look at the sources of packages, tests and scripts", async () => {
  const paths = (await sourceFiles()).map((it) => it.path);
  expect(paths).toContain("packages/kit/src/index.ts");
  expect(paths).toContain("scripts/gate.mjs");
  expect(paths).toContain("scripts/ratchet.test.ts");
  expect(paths).toContain("test/need.ts");
});
