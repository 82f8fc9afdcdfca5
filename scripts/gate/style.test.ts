import { expect, test } from "bun:test";
import { commentSection, judgeStyle, pronounComments } from "./style.ts";

const judge = (text: string) => judgeStyle({ path: "a.ts", text });
const wide = (columns: number) => "x".repeat(columns);

test("a line wider than 120 columns is refused, and told with its place", () => {
  expect(judge(`// short\n${wide(120)}\n`)).toEqual([]);
  expect(judge(`// short\n${wide(121)}\n`)).toEqual(["a.ts:2  121 columns; 120 is the limit"]);
  expect(judge(`// ${"日".repeat(59)}`)).toHaveLength(1);
});

test("a literal that cannot be broken may be as wide as it is, when nothing else stands on its line", () => {
  for (const literal of [`"${wide(200)}"`, `  '${wide(200)}',`, `\`${wide(200)}\`;`, `/${wide(200)}\\/x/g,`])
    expect(judge(literal)).toEqual([]);
  expect(judge(`const text = "${wide(200)}";`)).toHaveLength(1);
  expect(judge(`"${wide(100)}" + "${wide(100)}"`)).toHaveLength(1);
});

test("a literal that is spread is refused; what is spread because of a condition, or is only spoken of, is not", () => {
  expect(judge("f({ ...a, ...{ b: 1 } });")).toEqual([
    "a.ts:1  an object literal is spread: write its properties where they go",
  ]);
  expect(judge("f({\n  ...{\n    b: 1 } });")[0]).toStartWith("a.ts:2");
  for (const fine of ["f({ ...a });", "f({ ...(a ? { b } : {}) });", '// ...{ a }\nf("...{");', "f(...a, {});"])
    expect(judge(fine)).toEqual([]);
});

test("a doc comment that begins with a pronoun is found, and counted for its package", () => {
  const riddle = "/** Whoever fails at what it hears costs itself. */\n";
  const found = (text: string) => pronounComments({ path: "a.ts", text }, "doc");
  expect(found(`const a = 1;\n${riddle}`)).toEqual([`a.ts:2  ${riddle.trim()}`]);
  expect(found("/**\n * Of a child: those of who began it.\n */")).toHaveLength(1);
  for (const fine of ["/** One-line summary. */", "/** Calls it. */", "// What?", `f(${JSON.stringify(riddle)});`])
    expect(found(fine)).toEqual([]);
  const sources = ["packages/kit/src/a.ts", "packages/kit/src/b.ts", "test/c.ts"];
  const { counts } = commentSection(sources.map((path) => ({ path, text: riddle })));
  expect([...counts]).toEqual([
    ["kit", 2],
    ["test", 1],
  ]);
});
