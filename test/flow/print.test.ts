// Runs of one prompt through the real program: output, record, exit code.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { envOf, main, pith, scripted } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

function sessions(dir: Scratch): string[] {
  const base = dir.at("home", ".pith", "sessions");
  if (!existsSync(base)) return [];
  return readdirSync(base, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(base, name));
}
const journal = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const say = (...texts: string[]) => texts.map((text) => ({ text }));

test("stdout has the answer alone, and the conversation is recorded", async () => {
  using dir = scratch();
  const model = scripted(
    dir,
    { thinking: "hm", text: "Let me see.", calls: [{ tool: "read", input: { path: ".keep" } }] },
    ...say("All is well."),
  );
  expect(await pith(dir, ["-p", "how", "is it?", ...model])).toEqual({
    code: 0,
    signal: null,
    out: "All is well.\n",
    err: "",
  });
  const [file = ""] = sessions(dir);
  const lines = journal(file);
  expect(lines[0]).toMatchObject({ type: "session", version: 3, cwd: dir.at("work") });
  expect(lines.flatMap((line) => line.message?.role ?? [])).toEqual(["user", "assistant", "toolResult", "assistant"]);
});

test("JSON mode begins with the record's header and tells every event, one per line", async () => {
  using dir = scratch();
  const model = scripted(dir, { calls: [{ tool: "read", input: { path: ".keep" } }] }, ...say("Done."));
  const { code, out, err } = await pith(dir, ["--mode", "json", "go", ...model]);
  const events = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(events[0]).toEqual({ ...journal(sessions(dir)[0] ?? "")[0], events: 1 });
  const order = events
    .map(({ type }) => type)
    .filter((type) => !["message_update", "entry_appended", "tool_execution_update"].includes(type));
  expect(order).toEqual([
    "session",
    "agent_start",
    "turn_start",
    "message_start",
    "message_end",
    "message_start",
    "message_end",
    "tool_execution_start",
    "tool_execution_end",
    "message_start",
    "message_end",
    "turn_end",
    "turn_start",
    "message_start",
    "message_end",
    "turn_end",
    "agent_end",
    "agent_settled",
  ]);
  expect(events.find(({ type }) => type === "tool_execution_end")).toMatchObject({
    toolName: "read",
    isError: false,
    result: { details: { kind: "page" } },
  });
});

test("without a flag that allows it nothing is written, and stderr names the flag", async () => {
  using dir = scratch();
  const model = scripted(
    dir,
    { calls: [{ tool: "write", input: { path: "new.txt", content: "x" } }] },
    ...say("Tried."),
  );
  const refused = await pith(dir, ["-p", "write", "--approval", "ask", ...model]);
  expect(refused).toMatchObject({ code: 0, out: "Tried.\n" });
  expect(refused.err).toMatch(/^pith: write: .*--approval write.*\npith: 1 call not allowed\n$/);
  expect(existsSync(dir.at("work", "new.txt"))).toBe(false);
  expect(await pith(dir, ["-p", "write", ...model])).toMatchObject({ code: 0, err: "" });
  expect(readFileSync(dir.at("work", "new.txt"), "utf8")).toBe("x");
});

test("the tour runs in a project that is gone afterwards", async () => {
  using dir = scratch();
  const { code, out, err } = await pith(dir, ["-p", "fix the failing test", "--model", "faux/tour"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("The test passes.");
  expect(readdirSync(dir.at("tmp"))).toEqual([".keep"]);
  expect(readdirSync(dir.at("work"))).toEqual([".keep"]);
});

test("-c and -r go on with a session, in its own file", async () => {
  using dir = scratch();
  const model = scripted(dir, ...say("One.", "Two.", "Three."));
  expect((await pith(dir, ["-p", "a", ...model])).out).toBe("One.\n");
  expect((await pith(dir, ["-p", "b", "-c", ...model])).out).toBe("Two.\n");
  const [file = "", ...others] = sessions(dir);
  expect((await pith(dir, ["-p", "c", "-r", file, ...model])).out).toBe("Three.\n");
  expect(others).toEqual([]);
  expect(journal(file).filter((line) => line.message?.role === "user")).toHaveLength(3);
});

test("--no-session records nothing", async () => {
  using dir = scratch();
  expect(await pith(dir, ["-p", "--no-session", "a", ...scripted(dir, ...say("One."))])).toMatchObject({
    code: 0,
    out: "One.\n",
  });
  expect(sessions(dir)).toEqual([]);
});

test("an answer of five megabytes arrives whole, also at a slow reader", async () => {
  using dir = scratch();
  const text = `${"0123456789abcde\n".repeat(320_000)}end`;
  dir.write({
    "script.json": JSON.stringify({ chunkSize: 65_536, turns: [{ text }] }),
    "work/.keep": "",
    "tmp/.keep": "",
  });
  const slow = Bun.spawn(
    ["sh", "-c", '"$0" "$1" -p go --model "$2" | { sleep 0.3; wc -c; }', process.execPath, main, dir.at("script.json")],
    {
      cwd: dir.at("work"),
      env: envOf(dir),
      stdin: "ignore",
      stdout: "pipe",
    },
  );
  expect(Number(await new Response(slow.stdout).text())).toBe(text.length + 1);
});

test("a reader that leaves early is no error", async () => {
  using dir = scratch();
  const text = "0123456789abcde\n".repeat(64_000);
  dir.write({ "script.json": JSON.stringify({ turns: [{ text }] }), "work/.keep": "", "tmp/.keep": "" });
  const command = '{ "$0" "$1" -p go --model "$2"; echo "code $?" >&2; } | head -c 5';
  const child = Bun.spawn(["sh", "-c", command, process.execPath, main, dir.at("script.json")], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  expect(await new Response(child.stdout).text()).toBe("01234");
  expect(await new Response(child.stderr).text()).toBe("code 0\n");
});

test("an answer that cannot be written is told and no success", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "" });
  const model = scripted(dir, ...say("Lost."));
  const child = Bun.spawn([process.execPath, main, "-p", "go", ...model], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdin: "ignore",
    stdout: Bun.file("/dev/full"),
    stderr: "pipe",
  });
  expect(await new Response(child.stderr).text()).toContain("could not be written");
  expect(await child.exited).toBe(1);
});

test("piped text and files come before the prompt", async () => {
  using dir = scratch();
  dir.write({ "work/notes.md": "milk\n" });
  const { code, out } = await pith(dir, ["-p", "sum", "@notes.md", "up", "--model", "faux/echo"], {
    input: "from a pipe\n",
  });
  expect(code).toBe(0);
  expect(out).toMatch(
    /^<stdin>\nfrom a pipe\n<\/stdin>\n\nContents of notes\.md \(already provided — do not re-read\):\n\[notes\.md#\w+\]\n1:milk\n\nsum up\n$/,
  );
});

test("a file that a prompt names in the middle of its words comes along, and one that is none is told", async () => {
  using dir = scratch();
  dir.write({ "work/src/a.ts": "one\ntwo\nthree\n" });
  const ask = (...words: string[]) => pith(dir, ["-p", ...words, "--model", "faux/echo"]);
  const { code, out } = await ask("look at @src/a.ts:2-3 please");
  expect(code).toBe(0);
  expect(out).toStartWith("User's selected code from src/a.ts:L2-L3 (");
  expect(out).toMatch(/\n2:two\n3:three\n\nlook at @src\/a\.ts:2-3 please\n$/);
  expect((await ask("@src/a.ts explain")).out).toMatch(/^Contents of src\/a\.ts [\s\S]*explain\n$/);
  expect((await ask("one", "--next", "and @src/a.ts, please")).out).toContain("1:one");
  const gone = await ask("look at @src/gone.ts and @types/node");
  expect([gone.code, gone.out]).toEqual([0, "look at @src/gone.ts and @types/node\n"]);
  expect(gone.err).toContain("@src/gone.ts is not attached: there is no such file.");
  expect(gone.err).not.toContain("@types/node");
});

test("piped text alone is the prompt, without -p too", async () => {
  using dir = scratch();
  expect(await pith(dir, ["--model", "faux/echo"], { input: "hello" })).toMatchObject({ code: 0, out: "hello\n" });
});

test("standard input that was left open does not hold up a prompt", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "" });
  const child = Bun.spawn([process.execPath, main, "-p", "hi", "--model", "faux/echo"], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  expect(await new Response(child.stdout).text()).toBe("hi\n");
  expect(await new Response(child.stderr).text()).toContain("going on without it");
});

test("a project's own settings cannot loosen approval", async () => {
  using dir = scratch();
  dir.write({ "work/.pith/config.yml": "approval:\n  mode: yolo\n" });
  const model = scripted(dir, { calls: [{ tool: "bash", input: { command: "touch ran" } }] }, ...say("Tried."));
  const { code, err } = await pith(dir, ["-p", "go", "--sandbox", "off", ...model]);
  expect(code).toBe(0);
  expect(err).toContain('config.yml:2: approval.mode: ignored: a project may not set this to "yolo"');
  expect(existsSync(dir.at("work", "ran"))).toBe(false);
});

test("--tools takes the others away", async () => {
  using dir = scratch();
  const model = scripted(dir, { calls: [{ tool: "bash", input: { command: "touch ran" } }] }, ...say("Tried."));
  const { code, err } = await pith(dir, ["-p", "go", "--yolo", "--tools", "read,find", ...model]);
  expect(code).toBe(0);
  expect(err).toContain("bash");
  expect(existsSync(dir.at("work", "ran"))).toBe(false);
});

test("PITH_TIMING prints where the time went", async () => {
  using dir = scratch();
  const argv = ["-p", "hi", "--next", "more", "--model", "faux/echo"];
  const { err } = await pith(dir, argv, { env: { PITH_TIMING: "1" } });
  for (const phase of ["launch", "load", "settings", "words", "open coder", "record", "model", "parts", "run"])
    expect(err).toContain(phase);
  expect(err.match(/ prompt \(at/g)).toHaveLength(1);
  expect(err).not.toContain(" from ");
  expect((await pith(dir, argv, { env: { PITH_TIMING: "full" } })).err).toContain(" from ");
});

test("PITH_DEBUG_STARTUP says each phase of the start as it begins and ends, and nothing after the start", async () => {
  using dir = scratch();
  const { err } = await pith(dir, ["-p", "hi", "--model", "faux/echo"], { env: { PITH_DEBUG_STARTUP: "1" } });
  const said = err.trim().split("\n");
  expect(said.slice(0, 3)).toEqual(["[startup] launch:start", "[startup] load:start", "[startup] load:done"]);
  expect(said.at(-1)).toBe("[startup] open coder:done");
});

test("further messages are turns of their own, in order, in one session", async () => {
  using dir = scratch();
  const argv = [
    "-p",
    "first",
    "--next",
    "second one",
    "--next",
    "third",
    ...scripted(dir, { text: "a {{user}}" }, { text: "b {{user}}" }, { text: "c {{user}}" }),
  ];
  expect(await pith(dir, argv)).toMatchObject({ code: 0, out: "c third\n", err: "" });
  const [file = ""] = sessions(dir);
  const said = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).message?.content?.[0]?.text)
    .filter(Boolean);
  expect(said).toEqual(["first", "a first", "second one", "b second one", "third", "c third"]);
});

test("an output that cannot be written is told in one line, also by --help and --version", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "" });
  for (const option of ["--help", "--version"]) {
    const command = ["sh", "-c", 'exec "$@" > /dev/full', "sh", process.execPath, main, option];
    const ended = await run(command, { cwd: dir.at("work"), env: envOf(dir) });
    expect(ended).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^pith: the output could not be written: .*\n$/),
    });
  }
});
