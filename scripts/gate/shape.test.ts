import { expect, test } from "bun:test";
import { type Allowed, judgeCounts } from "./ratchet.ts";
import { shapeSections } from "./shape.ts";

const lines = (count: number) => "  go();\n".repeat(count);
const at = (path: string, text: string) => ({ path: `packages/kit/src/${path}`, text });
const judge = (
  sources: ReturnType<typeof at>[],
  part: keyof ReturnType<typeof shapeSections>,
  allowed: Allowed = {},
) => {
  const { counts, ratchet } = shapeSections(sources)[part];
  return judgeCounts(counts, allowed, { ...ratchet, rule: "shape", tight: true }).findings;
};

test("a function of more than 60 lines is found in every form", () => {
  const body = `{\n${lines(59)}}`;
  const forms: [string, string][] = [
    [`function long() ${body}`, "long"],
    [`const long = async () => ${body};`, "long"],
    [`const it = { long: () => ${body} };`, "long"],
    [`const it = { long() ${body} };`, "long"],
    [`class Big { long() ${body} }`, "Big.long"],
    [`class Big { #long = () => ${body} }`, "#long"],
    [`each(() => ${body});`, "()"],
  ];
  for (const [text, name] of forms) {
    expect(judge([at("a.ts", text)], "lines")[0]).toStartWith(`packages/kit/src/a.ts#${name} has 61 lines; above 60`);
    expect(judge([at("a.ts", text.replace("  go();\n", ""))], "lines")).toEqual([]);
  }
});

test("a long function may move and be renamed, and may not grow", () => {
  const long = (path: string, name: string, count: number) => [at(path, `function ${name}() {\n${lines(count)}}`)];
  const allowed = { "packages/kit/src/a.ts#f": 112 };
  expect(judge(long("b.ts", "f", 105), "lines", allowed)[0]).toMatch(/b.ts#f shrank to 107/);
  expect(judge(long("a.ts", "g", 105), "lines", allowed)[0]).toMatch(/a.ts#g shrank to 107/);
  expect(judge(long("b.ts", "g", 110), "lines", allowed)).toEqual([]);
  expect(judge(long("b.ts", "g", 109), "lines", allowed)[0]).toMatch(/b.ts#g has 111 lines; above 60/);
  expect(judge(long("b.ts", "f", 111), "lines", allowed)[0]).toMatch(/b.ts#f has 113 lines; above 60/);
});

test("more than five parameters are refused", () => {
  expect(judge([at("a.ts", "const f = (a = 1, b?: B, { c }: C, [d], ...e) => 1;")], "parameters")).toEqual([]);
  expect(judge([at("a.ts", "function f(a, b, c, d, e, f = () => 1) {}")], "parameters")[0]).toMatch(/f has 6 param/);
});

test("an interface of more than 30 members is refused", () => {
  const members = (count: number) => Array.from({ length: count }, (_, i) => `  m${i}${i % 2 ? "()" : ""}: void;`);
  const text = (count: number) => `export interface Big {\n${members(count).join("\n")}\n}`;
  expect(judge([at("a.ts", text(30))], "members")).toEqual([]);
  expect(judge([at("a.ts", text(31))], "members")[0]).toMatch(/a.ts#Big has 31 members/);
});

test("a folder of more than 15 files is refused", () => {
  const files = (count: number) => Array.from({ length: count }, (_, i) => at(`room/f${i}.ts`, ""));
  expect(judge(files(15), "folders")).toEqual([]);
  expect(judge(files(16), "folders")[0]).toMatch(/^packages\/kit\/src\/room has 16 source files/);
});
