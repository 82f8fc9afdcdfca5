import { expect, test } from "bun:test";
import { type LanguageName, languageOf } from "@pith/host";
import { Glob } from "bun";
import { codeOf, misindented, unpaired } from "./bracket.ts";

const found = (text: string, language: LanguageName) => {
  const code = codeOf(text, language) ?? "";
  const bracket = unpaired(code);
  const wrong = bracket ?? (language === "python" ? misindented(code) : undefined);
  return wrong && `${wrong.line}:${wrong.column} ${wrong.message}`;
};

test.each([
  ["python", "def f(x):\n    y = (x + 1\n    return y\n", '2:9 "(" is not closed (missing ")")'],
  [
    "typescript",
    "function a() {\n  if (x) {\n    foo();\n}\nfunction b() {\n}\n",
    '2:10 "{" is not closed (missing "}")',
  ],
  ["typescript", "foo(bar;\n}\n", '1:4 "(" is not closed (missing ")")'],
  ["go", "func f() {\n}\n}\n", '3:1 unexpected "}"'],
] as const)("a bracket of %s without its other half is named where it stands: %p", (language, text, said) => {
  expect(found(text, language)).toBe(said);
});

test.each([
  ["if x:\n        a\n    b\n", "3:1 indented unlike any block around it"],
  ["x = 1\n    y = 2\n", "2:1 indented, though no line before it opens a block"],
  ["def f():\nreturn 1\n", "2:1 not indented, though line 1 opens a block"],
  ["def f():\n    if x:\n    y\n", "3:1 not indented, though line 2 opens a block"],
])("Python that is indented wrongly is seen: %p", (text, said) => {
  expect(found(text, "python")).toBe(said);
});

test.each([
  [
    "python",
    'def f(\n  a,\n    b):\n    """doc\n  odd\n    """\n    x = {\n  1: 2,\n    }\n    return a \\\n  + b\n\n# out\n      # in\n',
  ],
  ["python", "class A:\n\tdef f(self): return '('\n\n\tdef g(self):\n\t\tpass  # (\n"],
  ["python", "if a: b\nelse:\n  c\nx = d[\n1:\n]\nf = lambda: 1\n"],
  ["typescript", "const a = /[({]/, b = `}{`; // (\nfoo('(', \"]\");\n"],
  ["rust", "fn f<'a>(x: &'a str) -> char { '(' }\n"],
  ["go", 'var s = "("\nfunc f() { /* { */ }\n'],
] as const)("what is right in %s is left alone: %p", (language, text) => {
  expect(found(text, language)).toBeUndefined();
});

test("hardly a file of this project is called wrong, so that what is told is worth reading", async () => {
  const root = `${import.meta.dir}/../../../..`;
  const wrong: string[] = [];
  let looked = 0;
  for (const path of new Glob("*/src/**/*.ts").scanSync(root)) {
    const text = await Bun.file(`${root}/${path}`).text();
    if (languageOf(path, text) !== "typescript") continue;
    if (found(text, "typescript") !== undefined) wrong.push(path);
    looked++;
  }
  expect(looked).toBeGreaterThan(500);
  expect(wrong.length).toBeLessThan(looked / 100);
});
