import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keys } from "@pith/coder";
import { fileLog } from "@pith/kit";
import { topics } from "../argv/screen.ts";
import { Out } from "../io/out.ts";
import { fakeIo } from "../test/fake.ts";
import { pageOf } from "./page.ts";
import { normalise, run } from "./run.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pith-run-"));
  mkdirSync(join(root, "work"));
});
afterEach(() => rmSync(root, { recursive: true }));

async function pith(argv: string[], given: Parameters<typeof fakeIo>[0] = {}) {
  const io = fakeIo({ cwd: join(root, "work"), home: join(root, "home"), ...given });
  const code = await run(argv, io);
  return { code, out: io.printed(), err: io.complained() };
}

test("what does not begin with a command begins a conversation", () => {
  expect(normalise(["-p", "hi"])).toEqual(["launch", "-p", "hi"]);
  expect(normalise([])).toEqual(["launch"]);
  expect(normalise(["config", "list"])).toEqual(["config", "list"]);
  expect(normalise(["--", "config"])).toEqual(["launch", "--", "config"]);
  expect(normalise(["toString"])).toEqual(["launch", "toString"]);
});

test("every help topic has a page that fits one screen", async () => {
  for (const topic of topics) {
    const { code, out, err } = await pith(["help", topic]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^# /);
    expect([topic, out.trimEnd().split("\n").length <= 24]).toEqual([topic, true]);
    for (const line of out.split("\n")) expect([topic, line.length <= 80 || line]).toEqual([topic, true]);
  }
});

test("every command has its help, by its name and by its option, and does nothing else then", async () => {
  for (const name of Object.keys(pageOf)) {
    const told = await pith(["help", name]);
    expect({ name, ...told }).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/\S/) });
    for (const option of ["--help", "-h"]) expect(await pith([name, "x", option])).toEqual(told);
  }
  expect(await pith(["help", "nothing"])).toMatchObject({
    code: 2,
    err: expect.stringContaining('no help topic "nothing"'),
  });
  expect(await pith(["-p", "x", "-h"])).toEqual(await pith(["help"]));
});

test("config list shows every setting with its value and where it comes from", async () => {
  mkdirSync(join(root, "home"));
  writeFileSync(join(root, "home", "config.yml"), "model: a/b\n");
  const { code, out } = await pith(["config"]);
  expect(code).toBe(0);
  for (const key of keys) expect(out).toMatch(new RegExp(`^${key.replaceAll(".", "\\.")} `, "m"));
  expect(out).toMatch(/^model +a\/b +\S*config\.yml/m);
  expect(out).toMatch(/^approval\.mode +ask +default/m);
});

test("config set, get and unset change the user's file and read it back", async () => {
  expect(await pith(["config", "get", "model"])).toEqual({ code: 0, out: "", err: "" });
  expect(await pith(["config", "set", "bash.timeout", "60"])).toEqual({ code: 0, out: "", err: "" });
  const { out: path } = await pith(["config", "path"]);
  expect(readFileSync(path.trim(), "utf8")).toBe("bash:\n  timeout: 60\n");
  expect((await pith(["config", "get", "bash.timeout"])).out).toBe("60\n");
  expect((await pith(["config", "unset", "bash.timeout"])).code).toBe(0);
  expect((await pith(["config", "get", "bash.timeout"])).out).toBe("300\n");
});

test("config says when the project's file still wins", async () => {
  mkdirSync(join(root, "work", ".pith"));
  writeFileSync(join(root, "work", ".pith", "config.yml"), "bash.timeout: 5\n");
  expect((await pith(["config", "set", "bash.timeout", "60"])).err).toContain(
    "sets bash.timeout to 5 in this directory",
  );
});

test("config refuses a wrong value, a wrong key and a wrong number of words", async () => {
  expect(await pith(["config", "set", "bash.timeout", "soon"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("from 1 to 3600"),
  });
  expect(await pith(["config", "set", "bash.timeot", "5"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("did you mean bash.timeout?"),
  });
  expect(await pith(["config", "set", "bash.timeout"])).toMatchObject({
    code: 2,
    err: "pith: usage: pith config set <key> <value>\n",
  });
});

test("config set tells a file that cannot be written", async () => {
  writeFileSync(join(root, "home"), "in the way");
  expect(await pith(["config", "set", "model", "a/b"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("could not be written"),
  });
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
