import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { newErrors, SyntaxCheck } from "./syntax.ts";

async function said(name: string, before: string, after: string): Promise<string[]> {
  const check = new SyntaxCheck(undefined, 30_000);
  check.look({ path: `/p/${name}`, name, before, after });
  return await check.problems();
}

const json = '{\n  "a": [1, 2],\n  "b": {"c": "x,}"}\n}\n';
const comma = json.replace('"}\n', '"},\n');

describe("what is right is not called wrong", () => {
  const cases: [string, string, string][] = [
    ["a.py", "def f(a, b):\n    x = 1\n", "def f(a, b):\n    x = (a +\n b)\n"],
    ["a.py", "def f(a, b):\n    x = 1\n", "def f(a, b):\n    x = [\n1,\n a +\nb, ]\n    return x\n"],
    ["a.jsonc", json, comma],
    ["tsconfig.json", json, comma],
    ["tsconfig.build.json", json, comma],
    [".vscode/settings.json", json, comma],
  ];
  test.each(cases)("%s: %p, then %p", async (name, before, after) =>
    expect(await said(name, before, after)).toEqual([]),
  );
  test("but in JSON that is nothing else", async () =>
    expect(await said("a.json", json, comma)).toEqual(['a.json:3:20 unexpected ","']));
});

describe("a place is named only where the change is", () => {
  const tsx = "export function A() {\n  return (\n    <div>\n      <b>hi</b>\n      <p>x</p>\n    </div>\n  );\n}\n";
  const cases: [string, string, string, string][] = [
    ["a.tsx", tsx, tsx.replace("</b>", ""), "a.tsx does not parse since line 4 was changed"],
    ["a.yml", "a: 1\nb: 2\nc: 3\n", "a: 1\nb: 2\n c: 3\n", "a.yml does not parse since line 3 was changed"],
    ["a.yml", "a: 1\nb: 2\n", "a: 1\nb: 2\n c: 3\n d: 4\n", "a.yml does not parse since lines 3-4 were changed"],
    ["a.py", "def f():\n    x = (1)\n", "def f():\n    x = (1\n", 'a.py:2:9 "(" is not closed (missing ")")'],
    ["a.ts", "let a = 1;\nlet b = 2;\n", "let a = 1;\nlet = 2 2;\n", 'a.ts:2:9 unexpected "2"'],
  ];
  test.each(cases)("%s: %p, then %p", async (name, before, after, what) =>
    expect(await said(name, before, after)).toEqual([what]),
  );
});

test.each([
  ["a.ts", 'export type * from "./b.ts";\n'],
  ["a.ts", "export interface A<out T, in U> {\n  a: T;\n  b(u: U): void;\n}\n"],
  ["a.js", "const none = null;\nexport { none as null };\n"],
  ["a.js", "class A {\n  #abort\n\n  [1] = 2\n}\n"],
  ["a.json", '{"a": 0.5e+1}\n'],
  ["a.sh", "findDirectory()\n{\n  local ITEM\n  for ITEM in $(ls \\\n    2>/dev/null); do echo $ITEM; done\n}\n"],
  ["a.c", "local int bail(char *why UNUSED)\n{\n  return 1;\n}\n"],
  ["a.h", "#ifdef A\nint f(int a) {\n#else\nint f(void) {\n#endif\n  return 1;\n}\nJNIEXPORT jint JNICALL g(void);\n"],
  ["a.html", '<?xml version="1.0"?>\n<html><body><p>a -> b > c</p></body></html>\n'],
  ["a.css", "a {\n  background: #fff url(./paper-1.png) repeat;\n}\n"],
])("%s: what is right and only the grammar does not know is no error: %j", async (path, after) => {
  expect(await newErrors({ path, before: undefined, after })).toEqual([]);
});

test("what only declares a name twice is read to its end, and what is wrong behind that is told", async () => {
  const twice = "const a = 1;\nexport const é = 2, a = 3;\nfunction f(b) {\n  let b;\n}\n";
  const told = (after: string) => newErrors({ path: "a.ts", before: undefined, after });
  expect(await told(`${twice}export type * from "./b.ts";\n`)).toEqual([]);
  expect(await told(`// ä\n${twice}const c = /x\n`)).toHaveLength(1);
  expect(await told(`${twice}if (a)\n`)).toHaveLength(1);
});

test("the parser is loaded only for what is not right", () => {
  const loaded = 'Object.keys(require.cache).some((name) => name.includes("ast-grep"))';
  const { stdout, stderr } = Bun.spawnSync([
    process.execPath,
    "-e",
    `const { newErrors } = await import(${JSON.stringify(join(import.meta.dir, "syntax.ts"))});
    const out = [];
    for (const after of ["let a = 1;\\n", "let a = ;\\n"]) {
      const found = await newErrors({ path: "a.ts", before: undefined, after });
      out.push(found.length, ${loaded});
    }
    process.stdout.write(JSON.stringify(out));`,
  ]);
  expect(stderr.toString()).toBe("");
  expect(JSON.parse(stdout.toString())).toEqual([0, false, 1, true]);
});

test("a text that is asked about is never run, not even what it imports as a macro", async () => {
  using dir = scratch();
  const ran = JSON.stringify(dir.at("ran"));
  dir.write({
    "macro.ts": `import { writeFileSync } from "node:fs";\nexport const run = () => writeFileSync(${ran}, "");\n`,
  });
  const from = JSON.stringify(dir.at("macro.ts"));
  for (const kind of ['"macro"', '"mac\\u0072o"', "'mac' + 'ro'"]) {
    const lines = [`import { run } from ${from} with { type: ${kind} };`, 'export type * from "./b.ts";'];
    const after = [...lines, "export const x = run();", ""].join("\n");
    await newErrors({ path: dir.at("a.ts"), before: undefined, after });
  }
  expect(existsSync(dir.at("ran"))).toBe(false);
});

test("what is wrong in C is told by its brackets, and of code without macros by its grammar", async () => {
  expect(
    await newErrors({ path: "a.c", before: undefined, after: "local int f(void)\n{\n  return (1;\n}\n" }),
  ).toHaveLength(1);
  const before = "int f(void)\n{\n  return 1;\n}\n";
  expect(await newErrors({ path: "a.c", before, after: before.replace("1;", "1 +;") })).toHaveLength(1);
  expect(
    await newErrors({ path: "a.c", before, after: before.replace("int f(void)", "EXPORT int API f(void)") }),
  ).toEqual([]);
});
