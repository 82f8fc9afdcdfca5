import { expect, test } from "bun:test";
import { adding, editWords, saying, writeWords } from "./added.ts";

/** The text that arguments add, by file, however they are cut. */
function added(words: typeof editWords, args: string, size: number): Record<string, string> {
  const reading = adding(words);
  const all: Record<string, string> = {};
  const take = (list: ReturnType<typeof reading.take>) => {
    for (const { path = "?", text } of list) all[path] = (all[path] ?? "") + text;
  };
  for (let at = 0; at < args.length; at += size) take(reading.take(args.slice(at, at + size)));
  take(reading.end());
  return all;
}

const hashline = `[src/a.ts#0A3B]
replace 4..5:
+const x = "1";
+++y;
insert after 9:
bare row
+}
[b.ts]
insert head:
+new
`;
const patch = `*** Begin Patch
*** Update File: src/a.ts
@@ old
 kept
-gone
+fresh "one"
*** Add File: b.ts
+new
*** End Patch
`;
const diff = `--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
 kept
-gone
+fresh
+++more
`;

const cases: [string, typeof editWords, unknown, Record<string, string>][] = [
  [
    "write",
    writeWords,
    { path: "a.ts", content: 'const a = "\\n";\n\tb\u00e9' },
    { "a.ts": 'const a = "\\n";\n\tbé\n' },
  ],
  ["write, the name last", writeWords, { content: "x", path: "a.ts" }, { "a.ts": "x\n" }],
  ["write, in others' words", writeWords, { file_path: "a", contents: "x" }, { a: "x\n" }],
  ["hashline", editWords, { input: hashline }, { "src/a.ts": 'const x = "1";\n++y;\nbare row\n}\n', "b.ts": "new\n" }],
  ["apply_patch", editWords, { input: patch }, { "src/a.ts": 'fresh "one"\n', "b.ts": "new\n" }],
  ["apply_patch, in others' words", editWords, { patchText: patch }, { "src/a.ts": 'fresh "one"\n', "b.ts": "new\n" }],
  ["patch", editWords, { path: "src/a.ts", diff }, { "src/a.ts": "fresh\n++more\n" }],
  [
    "replace",
    editWords,
    {
      path: "a.ts",
      edits: [
        { oldText: "gone", newText: "fresh" },
        { oldText: "x", newText: "y" },
      ],
    },
    { "a.ts": "fresh\ny\n" },
  ],
  [
    "replace, in others' words",
    editWords,
    { file_path: "a", old_string: "gone", new_string: "fresh" },
    { a: "fresh\n" },
  ],
];

test.each(cases)("%s: what is added is told without escapes, however it is cut", (_, words, args, expected) => {
  for (const size of [1, 2, 3, 7, 10_000]) {
    expect(added(words, JSON.stringify(args), size)).toEqual(expected);
    expect(added(words, JSON.stringify(args, null, 2).replace(/é/, "\\u00e9"), size)).toEqual(expected);
  }
});

test("a row is told before it is over", () => {
  const reading = adding(editWords);
  reading.take('{"input":"[a.ts#0A3B]\\nreplace 1..1:\\n');
  expect(reading.take("+forb")).toEqual([{ path: "a.ts", text: "forb" }]);
  expect(reading.take("idden")).toEqual([{ path: "a.ts", text: "idden" }]);
});

test("of any other call all that it says is told, text by text; what is no JSON harms nobody", () => {
  const said = (args: string) =>
    saying()
      .take(args)
      .map(({ text }) => text)
      .join("");
  expect(said('{"command":"git \\"a\\"","n":1,"list":["x",{"y":"z"}]}')).toBe('git "a"\nx\nz\n');
  expect(said('"]]}}:,{[{"')).toBe("]]}}:,{[{\n");
  expect(said(`${"[".repeat(5000)}"x"`)).toBe("x\n");
});
