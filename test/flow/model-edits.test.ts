// Edits as models write them, mistakes included, judged by what the model is told next and by the bytes on the disk.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { Snapshots } from "../../packages/coder/src/snapshot/snapshot.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

interface Call {
  tool: string;
  input: object;
}

/** Plays calls, one per reply, and gives what each was answered with. */
async function play(dir: Scratch, calls: readonly Call[], env: Record<string, string> = {}): Promise<string[]> {
  const turns = calls.map((call) => ({ calls: [call] }));
  // Only the answer to each call counts here.
  dir.write({ "quiet.yml": "verify:\n  enabled: false\nloop:\n  mode: off\n" });
  const quiet = ["--config", dir.at("quiet.yml")];
  const argv = ["-p", "--yolo", "--mode", "json", ...quiet, ...scripted(dir, ...turns, { text: "done" }), "go"];
  const done = await pith(dir, argv, { env });
  expect(done.code).toBe(0);
  return done.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; message?: { role: string; content: { text?: string }[] } })
    .flatMap(({ type, message }) =>
      type === "message_end" && message?.role === "toolResult"
        ? [message.content.map(({ text }) => text).join("")]
        : [],
    );
}

const tagOf = (dir: Scratch, name: string, content: string | Uint8Array) =>
  `[${name}#${new Snapshots(undefined).mint(dir.at("work", name), content)}]`;
const edit = (...rows: string[]): Call => ({ tool: "edit", input: { input: rows.join("\n") } });
const read = (path: string): Call => ({ tool: "read", input: { path } });
const text = (dir: Scratch, name: string) => readFileSync(dir.at("work", name), "utf8");

const twenty = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join("");

test("an edit is answered with its tag and the changed ranges, not with the text that was just written", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": twenty });
  const body = Array.from({ length: 40 }, (_, i) => `+a new line that was just written, number ${i}`);
  const [said = ""] = await play(dir, [
    edit(tagOf(dir, "a.txt", twenty), "replace 3..4:", ...body, "insert after 9:", "+x"),
  ]);
  expect(said).toBe(
    `${tagOf(dir, "a.txt", text(dir, "a.txt"))}\nreplaced 3-4 by 3-42; below +38\n-3:line 3\n-4:line 4\ninserted 48; below +39`,
  );
  expect(text(dir, "a.txt").split("\n")[47]).toBe("x");
});

test("rows of what goes are taken when they are right, and shown what stands there when not", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": twenty });
  const header = tagOf(dir, "a.txt", twenty);
  const [, wrong, right] = await play(dir, [
    read("a.txt"),
    edit(header, "replace 2..2:", "-line 3", "+two"),
    edit(header, "replace 2..2:", "-line 2", "+two"),
  ]);
  expect(wrong).toContain("The `-` rows are not what stands in line 2.");
  expect(wrong).toContain(`Nothing was changed. Last given: ${header}.`);
  expect(wrong).toContain("*2:line 2");
  expect(right).toContain("replaced 2 by 2");
  expect(text(dir, "a.txt")).toBe(twenty.replace("line 2\n", "two\n"));
});

test("an empty file and one of five megabytes are read with a tag and edited by it", async () => {
  using dir = scratch();
  const large = "0123456789\n".repeat(500_000);
  dir.write({ "work/empty.txt": "", "work/large.txt": large });
  const [empty, made, seen, changed] = await play(dir, [
    read("empty.txt"),
    edit(tagOf(dir, "empty.txt", ""), "insert head:", "+first"),
    read("large.txt:499999-500000"),
    edit(tagOf(dir, "large.txt", large), "replace 500000..500000:", "+last"),
  ]);
  expect(empty).toStartWith(`${tagOf(dir, "empty.txt", "")}\n(empty file)`);
  expect(made).toContain("inserted 1");
  expect(seen).toContain(tagOf(dir, "large.txt", large));
  expect(changed).toContain("replaced 500000 by 500000");
  expect(text(dir, "empty.txt")).toBe("first\n");
  expect(text(dir, "large.txt").length).toBe(large.length - 11 + 5);
});

test("a tag from before an own edit still works after somebody else has put in a line beside it", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": twenty });
  const header = tagOf(dir, "a.txt", twenty);
  const [, , , merged] = await play(dir, [
    read("a.txt"),
    edit(header, "replace 10..10:", "+ten"),
    { tool: "bash", input: { command: "sed -i '11i outside' a.txt" } },
    edit(header, "replace 12..12:", "+twelve"),
  ]);
  expect(merged).toContain("Warnings:");
  expect(merged).toContain("+13:twelve");
  expect(text(dir, "a.txt").split("\n").slice(9, 14)).toEqual(["ten", "outside", "line 11", "twelve", "line 13"]);
});

test("in every dialect read shows the path and numbers, as its description says", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\ntwo\n" });
  for (const mode of ["replace", "patch", "apply_patch"])
    expect(await play(dir, [read("a.txt")], { PITH_EDIT_VARIANT: mode })).toEqual(["[a.txt]\n1|one\n2|two"]);
});

test("a patch whose lines are not there is answered with the nearest ones", async () => {
  using dir = scratch();
  dir.write({ "work/a.py": "def f(x):\n    y = x + 1\n    return y\n" });
  const patch = "*** Begin Patch\n*** Update File: a.py\n@@\n def f(x):\n-    y = x + 2\n+    y = 3\n*** End Patch";
  const env = { PITH_EDIT_VARIANT: "apply_patch" };
  const [said, unread] = await play(dir, [edit(patch), edit("nonsense")], env);
  expect(said).toContain("The nearest lines are:\n1:def f(x):\n2:    y = x + 1\nNothing was applied.");
  expect(unread).toContain("Nothing was applied.");
});

test("a block whose old text is indented otherwise is moved as a whole, and Python that breaks is told", async () => {
  using dir = scratch();
  dir.write({ "work/a.py": "def f(x):\n    return x\n", "work/b.py": "def f(x):\n    y = (x)\n    return y\n" });
  const replace = (path: string, oldText: string, newText: string): Call => ({
    tool: "edit",
    input: { path, edits: [{ oldText, newText }] },
  });
  const [moved, broken, bracket] = await play(dir, [
    replace("a.py", "        return x", "        if x:\n            return x\n        return 0"),
    replace("a.py", "    return 0", "      return 0"),
    replace("b.py", "= (x)", "= (x"),
  ]);
  expect(moved).toContain("only but for white space");
  expect(broken).toContain("a.py:4:1 indented unlike any block around it");
  expect(bracket).toContain('b.py:2:9 "(" is not closed');
  expect(text(dir, "a.py")).toBe("def f(x):\n    if x:\n        return x\n      return 0\n");
});

test("what only looks like a paste is written, and a pasted summary is not", async () => {
  using dir = scratch();
  const body = (name: string) => Array.from({ length: 400 }, (_, i) => `  ${name}(${i});\n`).join("");
  const code = `export function f() {\n${body("a")}}\n\nexport function g() {\n${body("b")}}\n`;
  dir.write({ "work/s.ts": code });
  const times = "10:30 meeting\n11:00 lunch\n";
  const section = "[section#ABCD]\nkey=1\n";
  const write = (path: string, content: string): Call => ({ tool: "write", input: { path, content } });
  const [summary = ""] = await play(dir, [read("s.ts")]);
  expect(summary).toContain("1-402:export function f() { a(0); .. }");
  const rows = summary.split("\n\n[")[0] ?? "";
  const [, , refused] = await play(dir, [write("t.txt", times), write("s.ini", section), write("s.ts", `${rows}\n`)]);
  expect(text(dir, "t.txt")).toBe(times);
  expect(text(dir, "s.ini")).toBe(section);
  expect(refused).toContain("were left out");
  expect(text(dir, "s.ts")).toBe(code);
});

test("a bad byte is shown alike by read, search and edit, and stays", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "" });
  const bytes = Buffer.concat([Buffer.from("schön, größer\ncaf"), Buffer.of(0xe9), Buffer.from(" one\n")]);
  writeFileSync(dir.at("work", "m.txt"), bytes);
  const header = tagOf(dir, "m.txt", bytes);
  const [shown, found] = await play(dir, [
    read("m.txt"),
    { tool: "search", input: { pattern: "one", paths: ["m.txt"] } },
    edit(header, "replace 2..2:", "+caf\\xE9 zwölf"),
  ]);
  expect(shown).toContain(`${header}\n1:schön, größer\n2:caf\\xE9 one`);
  expect(found).toContain(`${header}\n 1:schön, größer\n*2:caf\\xE9 one`);
  const wanted = Buffer.concat([Buffer.from("schön, größer\ncaf"), Buffer.of(0xe9), Buffer.from(" zwölf\n")]);
  expect(readFileSync(dir.at("work", "m.txt"))).toEqual(wanted);
});

test("lines that end in a bare return are read, found and edited by number", async () => {
  using dir = scratch();
  const mac = "one\rtwo\rthree\r";
  dir.write({ "work/mac.txt": mac });
  const [shown, found] = await play(dir, [
    read("mac.txt"),
    { tool: "search", input: { pattern: "three", paths: ["mac.txt"] } },
    edit(tagOf(dir, "mac.txt", mac), "replace 2..2:", "+zwei", "+drei"),
  ]);
  expect(shown).toContain("1:one\n2:two\n3:three");
  expect(found).toContain("*3:three");
  expect(text(dir, "mac.txt")).toBe("one\rzwei\rdrei\rthree\r");
});

test("generated files are told by their head alone, and the refusal names the setting", async () => {
  using dir = scratch();
  const made = "// <auto-generated>\nclass A {}\n";
  const own = 'x = "DO NOT EDIT"\ny = 1\n';
  dir.write({ "work/a.cs": made, "work/b.py": own });
  const [refused, done] = await play(dir, [
    edit(tagOf(dir, "a.cs", made), "delete 2"),
    edit(tagOf(dir, "b.py", own), "replace 2..2:", "+y = 2"),
  ]);
  expect(refused).toContain("edit.generated");
  expect(refused).toContain("Nothing was changed");
  expect(done).toContain("replaced 2 by 2");
});

test("small mistakes are answered with the right form", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": twenty, "work/bad.ts": "const a = (;\n" });
  const header = tagOf(dir, "a.txt", twenty);
  const [colon, member, anchored, , local, parsed] = await play(dir, [
    edit(header, "delete 1..2:"),
    { tool: "write", input: { path: "a.zip:x.txt:3", content: "x" } },
    edit("[local://notes.md#0A1B]", "delete 1"),
    { tool: "write", input: { path: "local://notes.md", content: "old\n" } },
    { tool: "edit", input: { path: "local://notes.md", edits: [{ oldText: "old", newText: "new" }] } },
    { tool: "ast_edit", input: { ops: [{ pat: "const $A = $B", out: "let $A = $B" }], paths: ["bad.ts"] } },
  ]);
  expect(colon).toContain("write `delete 1..2`");
  expect(member).toContain("only all of it");
  expect(anchored).toContain("give `path` and `edits`");
  expect(local).toBe("local://notes.md:\nreplaced 1 by 1");
  expect(parsed).toContain("bad.ts: the grammar does not know line 1");
  expect(text(dir, "a.txt")).toBe(twenty);
});
