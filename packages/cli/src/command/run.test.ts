import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileLog } from "@pith/kit";
import { Out } from "../io/out.ts";
import { runIn } from "../test/command.ts";
import { shapesOf } from "./complete/shape.ts";
import { topicNames } from "./help/topic.ts";
import { normalise, subcommands } from "./run.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pith-run-"));
  mkdirSync(join(root, "work"));
});
afterEach(() => rmSync(root, { recursive: true }));

const pith = (argv: string[], process: Parameters<typeof runIn>[2] = {}) => runIn(root, argv, process);

test("what does not begin with a command begins a conversation", () => {
  expect(normalise(["-p", "hi"])).toEqual(["launch", "-p", "hi"]);
  expect(normalise([])).toEqual(["launch"]);
  expect(normalise(["config", "list"])).toEqual(["config", "list"]);
  expect(normalise(["--", "config"])).toEqual(["launch", "--", "config"]);
  expect(normalise(["toString"])).toEqual(["launch", "toString"]);
});

test("what can be completed, looked up and read in the manual is every command", async () => {
  const shapes = await shapesOf(subcommands);
  expect([...shapes.keys()].sort()).toEqual(Object.keys(subcommands).sort());
  for (const [name, { about, usage }] of shapes) {
    expect([name, about]).toEqual([name, expect.stringMatching(/\S/)]);
    expect([name, usage]).toEqual([name, usage.trim()]);
  }
});

test("a command that is called wrongly says how it is called, with its options", async () => {
  expect(await pith(["jobs", "frob"])).toEqual({
    code: 2,
    out: "",
    err: "pith: usage: pith jobs [list | stop <id>]\n",
  });
  expect((await pith(["trust", "a", "b"])).err).toBe("pith: usage: pith trust [<dir>] [--revoke] [--show] [--json]\n");
  expect((await pith(["serve", "frob"])).err).toBe("pith: usage: pith serve [list|stop] [options]\n");
  expect((await pith(["export"])).err).toContain("usage: pith export <id> --html|--md|--json|--jsonl [--inline]");
});

test("every help topic has a page, and it fits one screen unless it is a list of everything", async () => {
  const whole = ["options", "commands"];
  for (const topic of topicNames) {
    const { code, out, err } = await pith(["help", topic]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^# /);
    if (whole.includes(topic)) continue;
    // With the line that it was asked on, a terminal of 24 rows is full.
    expect([topic, out.trimEnd().split("\n").length <= 23]).toEqual([topic, true]);
    for (const line of out.split("\n")) expect([topic, line.length <= 80 || line]).toEqual([topic, true]);
  }
});

test("every command has its help, by its name and by its option, and does nothing else then", async () => {
  for (const name of Object.keys(subcommands)) {
    const told = await pith(["help", name]);
    expect({ name, ...told }).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/\S/) });
    for (const option of ["--help", "-h"]) expect(await pith([name, "x", option])).toEqual(told);
  }
  expect(await pith(["help", "nothing"])).toMatchObject({
    code: 2,
    err: expect.stringContaining('no page "nothing"'),
  });
  expect(await pith(["-p", "x", "-h"])).toEqual(await pith(["help"]));
});

test("help is found however it is spelled or called, and completion offers its pages", async () => {
  for (const [typed, page] of [
    ["Models", "models"],
    ["update", "install"],
    ["windows", "install"],
    ["ast-edit", "tools/ast_edit"],
    ["fork", "sessions"],
  ] as const)
    expect([typed, await pith(["help", typed])]).toEqual([typed, await pith(["help", page])]);
  expect((await pith(["help", "ast-edit"])).code).toBe(0);
  const offered = Object.keys((await shapesOf(subcommands)).get("help")?.words ?? {});
  for (const name of [...topicNames, "settings", "install", "read", "man"]) expect(offered).toContain(name);
});

test("a long page is drawn for the window of a terminal, and left as it is for a program", async () => {
  const env = { COLUMNS: "60", NO_COLOR: "1" };
  const { out } = await pith(["help", "settings"], { env, outIs: "device" });
  expect(Math.max(...out.split("\n").map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(60);
  expect(out).toContain("approval.mode");
  expect((await pith(["help", "settings"], { env })).out).toContain("| `approval.mode` |");
});

test("a narrow window breaks rows and loses no value", async () => {
  const env = { COLUMNS: "40", NO_COLOR: "1", PATH: "" };
  mkdirSync(join(root, "home"));
  const model = "somewhere/a-model-with-quite-a-long-name-of-its-own";
  expect((await pith(["config", "set", "model", model])).code).toBe(0);
  const script = join(root, "script.json");
  const write = { tool: "write", input: { path: "a.txt", content: "a" } };
  writeFileSync(script, JSON.stringify({ turns: [{ calls: [write] }, { text: "done" }] }));
  const asked = "write a file whose name is short";
  expect(await pith(["-p", "--yolo", "--model", script, asked])).toMatchObject({ code: 0, out: "done\n" });
  const told: Record<string, string> = {};
  for (const argv of [["config"], ["auth", "why", "openai"], ["doctor"], ["changes"]]) {
    const { out } = await pith(argv, { env, outIs: "device" });
    const widest = Math.max(...out.split("\n").map((line) => Bun.stringWidth(line)));
    expect([argv, widest <= 40 || out]).toEqual([argv, true]);
    told[argv[0] ?? ""] = out;
  }
  expect(told.config?.replace(/\s+/g, "")).toContain(model);
  expect(told.config).toMatch(/^approval\.mode: write$/m);
  expect(told.auth).toMatch(/OPENAI_API_KEY\s+nothing/);
  expect(told.changes?.replace(/\s+/g, " ")).toContain(asked);
  expect(told.doctor?.replace(/\s+/g, " ")).toContain("undo keeps states of the project by itself");
});

test("a bug inside a command is told in one line and kept in the log", async () => {
  const log = fileLog(join(root, "log"), () => 0);
  const out = new Out(async () => {});
  out.write = () => {
    throw new Error("oh no");
  };
  expect(await pith(["version"], { log, out })).toMatchObject({
    code: 1,
    err: expect.stringContaining("internal error: oh no"),
  });
  expect(readFileSync(join(root, "log"), "utf8")).toContain("run.test.ts");
});
