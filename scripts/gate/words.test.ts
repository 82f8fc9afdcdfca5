import { expect, test } from "bun:test";
import { judgeCounts } from "./ratchet.ts";
import { filesByName, listNames, wordSections } from "./words.ts";

const source = (path: string, text: string) => ({ path, text });

test("a name that a third file declares is refused, be it of a type or of a function", () => {
  const files = ["a", "b", "c"].map((name) =>
    source(`packages/${name}/src/${name}.ts`, "export interface Row {}\nexport const row = () => 1;"),
  );
  const judge = (count: number) =>
    Object.values(wordSections(files.slice(0, count))).flatMap(
      ({ counts, ratchet }) => judgeCounts(counts, {}, { ...ratchet, rule: "words" }).findings,
    );
  expect(judge(2)).toEqual([]);
  expect(judge(3)).toMatchObject([
    expect.stringMatching(/^Row has 3 files/),
    expect.stringMatching(/^row has 3 files/),
  ]);
  expect(listNames(files, "packages/b")[0]).toBe(["type Row: 3 files", ...files.map((it) => it.path)].join("\n  "));
  expect(listNames(files, "packages/d")).toEqual([]);
});

test("every form of declaration counts, a name that is passed on does not", () => {
  const text = `
    export interface A {}
    export type B = 1;
    export abstract class C {}
    export declare function d(): void;
    export const e: () => void = async () => {};
    export function* f() {}
    class G {}
    const local = 1;
    export { G, local };
    export { H } from "./h.ts";
    export type { I } from "./i.ts";
    export const value = (1 + 2) * 3;
    const template = \`
export interface J {}
\`;`;
  const { type, function: functions } = filesByName([source("a.ts", text)]);
  expect([...type.keys()]).toEqual(["A", "B", "C", "G"]);
  expect([...functions.keys()]).toEqual(["d", "e", "f"]);
});
