// Patterns, the todo list and checkpoints through the real program.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { binary, needBinary } from "../need.ts";
import { envOf, pith, scripted } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

const rewrite = { tool: "ast_edit", input: { ops: [{ pat: "console.log($A)", out: "log($A)" }], paths: ["src"] } };
const apply = { tool: "resolve", input: { action: "apply", reason: "as asked" } };
const files = {
  "work/src/a.ts": "console.log(1);\n",
  "work/src/b.js": "console.log(2);\n",
  "work/src/c.py": "print(3)\n",
};
const source = (dir: Scratch, name: string) => readFileSync(dir.at("work", "src", name), "utf8");

/** The entries of the only session. */
function entries(dir: Scratch): { type: string; customType?: string; display?: boolean; data?: unknown }[] {
  const sessions = dir.at("home", ".pith", "sessions");
  const [file = ""] = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  return readFileSync(join(sessions, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("a rewrite is shown, the model is reminded to decide, and apply makes it", async () => {
  using dir = scratch();
  dir.write(files);
  const model = scripted(
    dir,
    { calls: [rewrite] },
    {
      expect: { user: ["2 replacements in 2 files", "resolve"], result: ["Nothing is written yet", "+1:log(1);"] },
      calls: [apply],
    },
    { expect: { result: "Applied 2 replacements in 2 files." }, text: "done" },
  );
  expect(await pith(dir, ["-p", "go", "--yolo", ...model])).toMatchObject({ code: 0, out: "done\n" });
  expect([source(dir, "a.ts"), source(dir, "b.js"), source(dir, "c.py")]).toEqual([
    "log(1);\n",
    "log(2);\n",
    "print(3)\n",
  ]);
  expect(entries(dir).filter((entry) => entry.customType === "resolve-reminder")).toMatchObject([
    { type: "custom_message", display: false },
  ]);
});

test("by hand, a rewrite is shown and applied in one batch", async () => {
  using dir = scratch();
  dir.write(files);
  const calls = [
    { name: "ast_edit", input: { ops: [{ pat: "print($A)", out: "log($A)" }], paths: ["src/*.py"] } },
    { name: "resolve", input: { action: "discard", reason: "not yet" } },
    { name: "resolve", input: { action: "apply", reason: "too late" } },
    { name: "ast_edit", input: { ops: [{ pat: "print($A)", out: "log($A)" }], paths: ["src/*.py"] } },
    { name: "resolve", input: { action: "apply", reason: "now" } },
  ];
  const { code, out } = await pith(dir, ["tool", "--batch"], {
    input: calls.map((call) => JSON.stringify(call)).join("\n"),
  });
  expect(code).toBe(0);
  const texts = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).text.split("\n")[0]);
  expect(texts.map((text) => text.split(/[.:]/)[0])).toEqual([
    "Preview",
    "Discarded",
    "Nothing waits to be applied or discarded",
    "Preview",
    "Applied 1 replacement in 1 file",
  ]);
  expect(source(dir, "c.py")).toBe("log(3)\n");
});

test("a preview still waits after the program was ended, and is refused when a file has changed since", async () => {
  using dir = scratch();
  dir.write(files);
  const model = scripted(
    dir,
    { calls: [rewrite] },
    { text: "I wait." },
    { text: "I really do." },
    { calls: [apply] },
    {
      expect: { result: "Applied 2 replacements in 2 files." },
      calls: [{ tool: "ast_edit", input: { ...rewrite.input, ops: [{ pat: "log($A)", out: "print($A)" }] } }],
    },
    { text: "I wait again." },
    { text: "Until tomorrow." },
    { calls: [apply] },
    { expect: { result: "The preview is stale" }, text: "done" },
  );
  const go = (...more: string[]) => pith(dir, [...more, "-p", "go", "--yolo", ...model]);
  expect(await go()).toMatchObject({ code: 0 });
  expect(source(dir, "a.ts")).toBe("console.log(1);\n");
  expect(await go("-c")).toMatchObject({ code: 0 });
  expect(source(dir, "a.ts")).toBe("log(1);\n");
  dir.write({ "work/src/a.ts": "log(9);\n" });
  expect(await go("-c")).toMatchObject({ code: 0, out: "done\n" });
  expect([source(dir, "a.ts"), source(dir, "b.js")]).toEqual(["log(9);\n", "log(2);\n"]);
});

test("a preview needs no permission, applying it does", async () => {
  using dir = scratch();
  dir.write(files);
  const model = scripted(
    dir,
    { calls: [rewrite] },
    { expect: { result: "Preview: 2 replacements" }, calls: [apply] },
    { expect: { result: { matches: "resolve.*write" } }, text: "refused" },
    { expect: { user: "before anything else" }, text: "still refused" },
  );
  expect(await pith(dir, ["-p", "go", "--approval", "ask", ...model])).toMatchObject({ code: 0 });
  expect(source(dir, "a.ts")).toBe("console.log(1);\n");
});

test("a model that stops with open tasks is asked on, and a resumed session knows its list", async () => {
  using dir = scratch();
  const todo = (...ops: object[]) => ({ tool: "todo", input: { ops } });
  const model = scripted(
    dir,
    { calls: [todo({ op: "init", list: [{ phase: "Work", items: ["one", "two", "three"] }] })] },
    { calls: [todo({ op: "done", task: "one" })] },
    { text: "I am tired." },
    {
      expect: { user: ["2 tasks open on the todo list", "- two (in progress)"] },
      calls: [todo({ op: "done", task: "two" }, { op: "done", task: "four" })],
    },
    {
      expect: { user: "changed nothing", result: 'Errors: Task "four" not found' },
      calls: [todo({ op: "done", task: "two" })],
    },
    { text: "Three is for tomorrow." },
    { text: "Really." },
    { calls: [todo({ op: "view" })] },
    { expect: { result: { matches: "^1 task left: three\\n(?!.*one)", flags: "s" } }, text: "I looked." },
    { expect: { user: "1 task open" }, text: "good morning" },
  );
  expect(await pith(dir, ["-p", "go", "--yolo", ...model])).toMatchObject({ code: 0 });
  expect(entries(dir).filter((entry) => entry.customType === "todo-error-reminder")).toMatchObject([
    { type: "custom_message", display: false },
  ]);
  const again = await pith(dir, ["-c", "-p", "what is left?", "--yolo", ...model]);
  expect(again).toMatchObject({ code: 0, out: "I looked.\ngood morning\n" });
});

test("checkpoints are there when they are switched on, and a rewind leaves the report", async () => {
  using dir = scratch();
  const model = scripted(
    dir,
    { expect: { tools: ["checkpoint", "rewind"] }, calls: [{ tool: "checkpoint", input: { goal: "look around" } }] },
    { calls: [{ tool: "find", input: { paths: "*" } }] },
    { text: "I forgot something." },
    { expect: { user: "MUST call rewind" }, calls: [{ tool: "rewind", input: { report: "there is one file" } }] },
    { when: { user: "there is one file" }, text: "done" },
  );
  dir.write({ "home/.pith/config.yml": "checkpoint.enabled: true\n" });
  expect(await pith(dir, ["-p", "go", "--yolo", ...model])).toMatchObject({ code: 0, out: "done\n" });
  expect(entries(dir).filter((entry) => entry.type === "branch_summary")).toMatchObject([
    { summary: "there is one file" },
  ]);
});

test.skipIf(needBinary() !== undefined)("dist/pith searches also where its home cannot be written", async () => {
  using dir = scratch();
  dir.write({ ...files, "home/file": "", "temp/.keep": "" });
  const place = {
    cwd: dir.at("work"),
    env: envOf(dir, { PITH_HOME: dir.at("home", "file", "below"), TMPDIR: dir.at("temp") }),
  };
  for (const call of [
    ["find", '{"paths":"*.py"}', "# src/\nc.py\n"],
    ["search", '{"pattern":"print\\\\(3","paths":"src/*.py"}', "*1:print(3)\n"],
  ] as const) {
    const { code, out } = await run([binary, "tool", call[0], call[1]], place);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(call[2]) });
  }
});

test.skipIf(needBinary() !== undefined)(
  "dist/pith parses natively and through its grammars, also where there is no temporary directory",
  async () => {
    using dir = scratch();
    dir.write({
      ...files,
      "home/.keep": "",
      "work/src/d.go": "package p\nfunc f() {\n\tprint(4)\n}\n",
      "work/src/e.kt": "fun f() {\n  print(5)\n}\n",
      "work/src/f.rb": "print(6)\n",
    });
    for (const TMPDIR of [dir.at("home"), dir.at("nowhere")]) {
      const place = { cwd: dir.at("work"), env: envOf(dir, { TMPDIR }) };
      const { code, out, err } = await run(
        [binary, "tool", "ast_grep", '{"pats":["print($A)","console.log($A)"],"paths":["src"]}'],
        place,
      );
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out.match(/(?:print|log)\(\d\)/g)).toEqual([
        "log(1)",
        "log(2)",
        "print(3)",
        "print(4)",
        "print(5)",
        "print(6)",
      ]);
    }
  },
);
