import { expect, test } from "bun:test";
import { blockAt } from "./block.ts";
import { parseErrorsAside } from "./error.ts";
import { languageOf } from "./language.ts";
import { openLanguage } from "./open.ts";

const typescript = await openLanguage("typescript");

test("no block begins on a blank line, a closing line, an else, or inside a text", () => {
  const text = "if (a) {\n  b();\n\n} else {\n  c(`one\n  two`);\n}\n";
  expect([1, 2, 3, 4, 5, 6, 7, 8, 0, -1].map((line) => blockAt(text, typescript, line)?.to)).toEqual([
    7,
    2,
    undefined,
    undefined,
    6,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a block that does not parse is none", () => {
  expect(blockAt("function a( {\n  b();\n}\n", typescript, 1)).toBeUndefined();
  expect(blockAt("function ok() {\n  b();\n}\nlet x = (1;\n", typescript, 1)).toEqual({ from: 1, to: 3 });
});

test("a call over several lines is one block", () => {
  expect(blockAt("start(a,\n  b,\n)\n  .then(() => {\n    c();\n  });\nnext();\n", typescript, 1)).toEqual({
    from: 1,
    to: 6,
  });
});

test("a decorator line takes the whole declaration, the line below it only the declaration", async () => {
  const python = await openLanguage("python");
  const text = "@one\n@two\nclass A:\n    @three\n    def b(self):\n        pass\n\n    c = 1\n";
  expect([1, 3, 4, 5, 6, 8].map((line) => blockAt(text, python, line)?.to)).toEqual([8, 8, 6, 6, 6, 8]);
});

test("a doc comment in front of a declaration is not part of it", async () => {
  const rust = await openLanguage("rust");
  const text = "/// Doc.\n#[derive(Debug)]\nstruct A {\n    b: u8,\n}\n";
  expect([1, 2, 3].map((line) => blockAt(text, rust, line)?.to)).toEqual([1, 2, 5]);
});

test("thousands of nested brackets are not parsed, some hundred are", async () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const json = await openLanguage("json");
  expect(await parseErrorsAside(nested(300), json)).toEqual([]);
  expect(await parseErrorsAside(`${nested(300)}]`, json)).not.toEqual([]);
  expect(blockAt(nested(300), json, 1)).toEqual({ from: 1, to: 1 });
  expect(await parseErrorsAside(`${nested(20_000)}]`, json)).toEqual([]);
  expect(blockAt(nested(20_000), json, 1)).toBeUndefined();
});

test("an error names its place and what is missing", async () => {
  expect(await parseErrorsAside("let a = (1;\n", typescript)).toEqual([
    { line: 1, column: 11, message: 'missing ")"' },
  ]);
  expect((await parseErrorsAside("const a = 1;\nconst = 2 2;\n", typescript))[0]).toMatchObject({ line: 2 });
});

test("a script without an extension is known by its first line", () => {
  expect(languageOf("/bin/tool", "#!/usr/bin/env -S python3.11 -u\n")).toBe("python");
  expect(languageOf("tool", "#!/bin/bash\n")).toBe("bash");
  expect(languageOf("tool", "plain text")).toBeUndefined();
  expect(languageOf("A.TS")).toBe("typescript");
  expect(languageOf("notes.txt", "#!/bin/bash\n")).toBeUndefined();
});
