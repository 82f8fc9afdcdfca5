// Tools by hand, through the real program.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { envOf, main, pith } from "../pith.ts";
import { scratch } from "../scratch.ts";

const lines = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("pith tool lists the tools, one per line, each with what it is", async () => {
  using dir = scratch();
  const { code, out } = await pith(dir, ["tool"]);
  expect(code).toBe(0);
  const rows = out.trimEnd().split("\n");
  expect(rows.map((row) => row.split(/\s+/)[0])).toEqual([
    "read",
    "write",
    "edit",
    "bash",
    "job",
    "search",
    "find",
    "ast_grep",
    "ast_edit",
    "resolve",
    "load_tools",
    "todo",
    "run_subagent",
  ]);
  for (const row of rows) expect(row).toMatch(/^\w+ +\S.{10}/);
});

test("a tool prints what the model would read, and --json the whole result", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "alpha\nbeta\n" });
  const plain = await pith(dir, ["tool", "read", '{"path":"a.txt"}']);
  expect(plain).toMatchObject({ code: 0, err: "" });
  expect(plain.out).toContain("beta");
  const [whole] = lines((await pith(dir, ["tool", "read", '{"path":"a.txt"}', "--json"])).out);
  expect(`${whole.text}\n`).toBe(plain.out);
  expect(whole).toMatchObject({
    isError: false,
    details: { kind: "page", path: expect.stringContaining("a.txt") },
    content: [{ type: "text", text: whole.text }],
  });
});

test("a person runs it, so writing and executing ask nothing", async () => {
  using dir = scratch();
  expect(await pith(dir, ["tool", "write", '{"path":"new/b.txt","content":"b\\n"}'])).toMatchObject({ code: 0 });
  expect(readFileSync(dir.at("work", "new", "b.txt"), "utf8")).toBe("b\n");
  expect((await pith(dir, ["tool", "bash", '{"command":"cat new/b.txt"}'])).out).toContain("b");
});

test("an error of the tool exits with 1, a wrong call with 2 and what to do", async () => {
  using dir = scratch();
  expect(await pith(dir, ["tool", "read", '{"path":"gone.txt"}'])).toMatchObject({
    code: 1,
    out: expect.stringContaining("gone.txt"),
  });
  expect(await pith(dir, ["tool", "read", "{}"])).toMatchObject({ code: 1, out: expect.stringContaining("path") });
  const wrong: [string[], RegExp][] = [
    [["tool", "raed", "{}"], /did you mean read\?/],
    [["tool", "read", "{path:1}"], /not JSON/],
    [["tool", "read"], /one JSON argument/],
    [["tool", "read", "{}", "{}"], /one JSON argument/],
    [["tool", "--batch", "read"], /standard input/],
    [["tool", "--jsno"], /did you mean --json\?/],
  ];
  for (const [argv, message] of wrong)
    expect(await pith(dir, argv)).toMatchObject({ code: 2, out: "", err: expect.stringMatching(message) });
});

test("--batch answers each line with one line, in order, and a bad one with an error", async () => {
  using dir = scratch();
  const calls = [
    JSON.stringify({ name: "write", input: { path: "x.txt", content: "one\n" } }),
    "",
    "{broken",
    JSON.stringify({ name: "nothing", input: {} }),
    JSON.stringify({ name: "read" }),
    JSON.stringify({ name: "edit", input: { path: "x.txt", edits: [{ oldText: "one", newText: "two\u2028" }] } }),
    JSON.stringify({ name: "read", input: { path: "x.txt" } }),
  ];
  const { code, out, err } = await pith(dir, ["tool", "--batch"], { input: calls.join("\n") });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const answers = lines(out);
  expect(answers.map(({ isError }) => isError)).toEqual([false, true, true, true, false, false]);
  expect(answers[1].text).toContain("not JSON");
  expect(answers[2].text).toContain("nothing");
  expect(answers[4].details).toMatchObject({ kind: "diff" });
  expect(answers[5].text).toContain("two");
  for (const answer of answers) expect(Object.keys(answer)).toEqual(["text", "content", "isError", "details"]);
});

test("a batch answers a line when it comes, not at the end of input", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "alpha\n" });
  const child = Bun.spawn([process.execPath, main, "tool", "--batch"], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = child.stdout.getReader();
  for (let i = 0; i < 3; i++) {
    child.stdin.write('{"name":"read","input":{"path":"a.txt"}}\n');
    await child.stdin.flush();
    const { value } = await reader.read();
    expect(JSON.parse(Buffer.from(value ?? []).toString()).text).toContain("alpha");
  }
  child.stdin.end();
  expect(await child.exited).toBe(0);
});

test("a signal stops the call of a batch that runs, answers it, and exits with 130", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "" });
  const child = Bun.spawn([process.execPath, main, "tool", "--batch"], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  child.stdin.write('{"name":"bash","input":{"command":"touch started; sleep 60"}}\n');
  await child.stdin.flush();
  await until(() => existsSync(dir.at("work", "started")), "the command");
  child.kill("SIGINT");
  const answers = lines(await new Response(child.stdout).text());
  expect(await child.exited).toBe(130);
  expect(answers).toMatchObject([{ isError: true, details: { kind: "run", cancelled: true } }]);
});

test("a tool that is switched off is not there", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/config.yml": "bash.enabled: false\n" });
  expect(await pith(dir, ["tool", "bash", '{"command":"true"}'])).toMatchObject({ code: 2 });
});

test("tools run where there is no temporary directory", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "alpha\n" });
  expect(
    await pith(dir, ["tool", "read", '{"path":"a.txt"}'], { env: { TMPDIR: dir.at("work", "a.txt") } }),
  ).toMatchObject({ code: 0, err: "" });
});
