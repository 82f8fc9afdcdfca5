import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keys } from "@pith/coder";
import { runIn } from "../../test/command.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pith-config-"));
  mkdirSync(join(root, "work"));
});
afterEach(() => rmSync(root, { recursive: true }));

const pith = (argv: string[], process: Parameters<typeof runIn>[2] = {}) => runIn(root, argv, process);

test("config list shows every setting with its value and where it comes from", async () => {
  mkdirSync(join(root, "home"));
  writeFileSync(join(root, "home", "config.yml"), "model: a/b\n");
  const { code, out } = await pith(["config"]);
  expect(code).toBe(0);
  for (const key of keys) expect(out).toMatch(new RegExp(`^${key.replaceAll(".", "\\.")} `, "m"));
  expect(out).toMatch(/^model +a\/b +\S*config\.yml/m);
  expect(out).toMatch(/^approval\.mode +write +default/m);
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

test("config set says which file it changed, and what stays wrong in the project's, which stops nothing", async () => {
  mkdirSync(join(root, "work", ".pith"));
  writeFileSync(join(root, "work", ".pith", "config.yml"), "thinking: 7\n");
  const { code, err } = await pith(["config", "set", "thinking", "high"]);
  expect(code).toBe(0);
  expect(err).toMatch(
    /home\/config\.yml is changed; what is still wrong:\n.*work\/\.pith\/config\.yml:1: thinking: .+; ignored\n$/,
  );
  expect(await pith(["config", "get", "thinking"])).toMatchObject({ code: 0, out: "high\n" });
  expect((await pith(["-p", "hi", "--model", "faux/echo"])).code).toBe(0);
});

test("config import keeps what the user's own file says, also where a project says something else", async () => {
  const file = (name: string, text: string) => {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  file("home/config.yml", "bash:\n  timeout: 88\n");
  file("work/.pith/config.yml", "bash.timeout: 5\n");
  file("pi/settings.json", '{ "bash": { "timeout": 12 }, "retry": { "maxRetries": 9 }, "theme": "x" }');
  const env = { PI_CODING_AGENT_DIR: join(root, "pi") };
  const { out } = await pith(["config", "import", "pi"], { env });
  for (const row of ["bash.timeout: 12 (kept yours: 88)", "retry.max: 9", "theme"]) expect(out).toContain(`  ${row}\n`);
  expect(readFileSync(join(root, "home", "config.yml"), "utf8")).toBe("bash:\n  timeout: 88\nretry:\n  max: 9\n");
  expect((await pith(["config", "explain", "retry.max"], { env })).out).toContain("counts from the next session on.");
  expect((await pith(["config", "explain", "compaction.reserveTokens"])).out).toContain("A change counts at once.");
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

test("config set and unset mend a file that would end every start, and say what is still wrong", async () => {
  mkdirSync(join(root, "home"));
  const file = join(root, "home", "config.yml");
  const broken =
    "# mine\nmodel: 7\napproval: often\nbash.timeout: 5\nbash:\n  timeout: 6\nfuture: { a: 1 }\nread.enabled: 1\n";
  writeFileSync(file, broken);
  expect((await pith(["config", "get", "model"])).code).toBe(2);
  expect(await pith(["config", "set", "model", "a/b"])).toMatchObject({
    code: 0,
    err: expect.stringContaining(":3: app"),
  });
  expect((await pith(["config", "set", "approval.mode", "write"])).err).not.toContain("approval");
  expect((await pith(["config", "set", "bash.timeout", "60"])).err).not.toContain("twice");
  expect((await pith(["config", "unset", "future"])).code).toBe(0);
  expect(await pith(["config", "unset", "read.enabled"])).toEqual({ code: 0, out: "", err: "" });
  expect(readFileSync(file, "utf8")).toBe("# mine\nmodel: a/b\nbash.timeout: 60\napproval:\n  mode: write\n");
  expect((await pith(["config", "unset", "future"])).code).toBe(2);
});

test("config set tells a file that cannot be written", async () => {
  writeFileSync(join(root, "home"), "in the way");
  expect(await pith(["config", "set", "model", "a/b"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("could not be written"),
  });
});
