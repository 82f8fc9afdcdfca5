// The shell as a person meets it: commands while they run, jobs that last, and a session that goes on.
import { expect, test } from "bun:test";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../packages/kit/src/test/index.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { terminal as openTerminal } from "../terminal.ts";

const bash = (command: string, more: object = {}) => ({ calls: [{ tool: "bash", input: { command, ...more } }] });
const untilThere = (name: string) => `until [ -e ${name} ]; do sleep 0.02; done`;

function sessionFile(dir: Scratch): string {
  const sessions = dir.at("home", ".pith", "sessions");
  const [name = ""] = readdirSync(sessions, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".jsonl"));
  return join(sessions, name);
}
const entries = (dir: Scratch): Record<string, unknown>[] =>
  readFileSync(sessionFile(dir), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const results = (dir: Scratch): string[] =>
  entries(dir).flatMap(({ message }) => {
    const { role, content } = (message ?? {}) as { role?: string; content?: { text?: string }[] };
    return role === "toolResult" ? [content?.[0]?.text ?? ""] : [];
  });
const notes = (dir: Scratch): string[] =>
  entries(dir).flatMap(({ type, content }) =>
    type === "custom_message" && String(content).includes("started anew") ? [String(content)] : [],
  );

/** Another script: one that is played again goes on where the session is. */
function later(dir: Scratch, name: string, ...turns: unknown[]): string[] {
  dir.write({ [`${name}.json`]: JSON.stringify({ turns }) });
  return ["--model", dir.at(`${name}.json`)];
}

const terminal = (dir: Scratch, argv: readonly string[]) => openTerminal(dir, argv, {}, { cols: 100, rows: 30 });

test("a command that a person typed shows what it says while it runs, each line once and whole", async () => {
  using dir = scratch();
  const desk = terminal(dir, scripted(dir, { text: "Seen." }));
  await desk.waits();
  const wide = "printf 'w%03d.' {1..50}; echo";
  desk.type(`!echo be''gun; ${untilThere("go")}; ${wide}; printf en''ded; exit $((1+2))\n`);
  await desk.sees("\n  begun\n");
  expect(desk.tape()).not.toContain("w001");
  dir.write({ "work/go": "" });
  await desk.sees("exit 3");
  for (const word of ["  begun\n", "w001.", "w025.", "w050.", "ended\n"])
    expect(desk.tape().split(word)).toHaveLength(2);
  desk.type("/quit\n");
  expect(await desk.child.exited).toBe(0);
});

test("a command typed during a turn shows its output and its end before the turn is over", async () => {
  using dir = scratch();
  const desk = terminal(dir, [
    "--yolo",
    ...scripted(dir, bash(`touch there; ${untilThere("go")}; echo model"-"done`), { text: "Goodbye." }),
  ]);
  await desk.waits();
  desk.type("go\n");
  await until(() => readdirSync(dir.at("work")).includes("there"), "the command of the model");
  desk.type("!echo min''e; export MINE=1; exit $((2+2))\n");
  await desk.sees("\n  mine\n  exit 4\n");
  expect(desk.tape()).not.toContain("  model-done");
  dir.write({ "work/go": "" });
  await desk.sees("Goodbye.");
  expect(desk.tape().split("\n  mine\n")).toHaveLength(2);
  // The command of the model ended later and changed nothing, so it did not take this back.
  desk.type("!echo [$MINE]\n");
  await desk.sees("[1]");
  desk.type("/quit\n");
  expect(await desk.child.exited).toBe(0);
});

test("what a background job leaves is not the session's, and no time is set for it", async () => {
  using dir = scratch();
  dir.write({ "work/.pith/config.yml": "bash.timeout: 1\n" });
  const turns = [
    bash(`cd /; X=job; ${untilThere(dir.at("work", "go"))}; sleep 1.2; echo survived`, { async: true }),
    bash("X=mine"),
    bash("touch go"),
    { calls: [{ tool: "job", input: {} }] },
    bash("echo $X in $PWD"),
    { text: "Done." },
  ];
  expect(await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...turns)])).toMatchObject({ code: 0 });
  expect(results(dir)[3]).toContain("survived");
  expect(results(dir)[4]).toBe(`mine in ${dir.at("work")}`);
});

test("a job whose time was set is ended by it", async () => {
  using dir = scratch();
  const turns = [
    bash("sleep 50", { async: true, timeout: 1 }),
    { calls: [{ tool: "job", input: {} }] },
    { text: "Done." },
  ];
  expect(await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...turns)])).toMatchObject({ code: 0 });
  expect(results(dir)[1]).toContain("timed out after 1 seconds");
});

test("where nothing may run in the background, `async` is refused and nothing runs", async () => {
  using dir = scratch();
  dir.write({ "work/.pith/config.yml": "async.enabled: false\n" });
  const turns = [bash("touch made", { async: true }), bash("ls", { async: false }), { text: "Done." }];
  expect(await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...turns)])).toMatchObject({ code: 0 });
  expect(results(dir)).toEqual([expect.stringContaining("Async execution is disabled"), "(no output)"]);
});

test("a session goes on in the directory it was in, and the model is told which variables are gone, once", async () => {
  using dir = scratch();
  dir.write({ "work/sub/.keep": "" });
  const first = scripted(dir, bash("cd sub; export V=7; W=8"), { text: "Done." });
  expect(await pith(dir, ["-p", "go", "--yolo", ...first])).toMatchObject({ code: 0 });
  const second = later(dir, "second", bash('echo "$PWD [$V]"'), { text: "Done." });
  expect(await pith(dir, ["-p", "on", "-c", "--yolo", ...second])).toMatchObject({ code: 0 });
  expect(results(dir)[1]).toBe(`${dir.at("work", "sub")} []`);
  expect(notes(dir)).toEqual([expect.stringMatching(/started anew\. .*: V\.$/)]);
  const third = later(dir, "third", bash("pwd"), { text: "Done." });
  expect(await pith(dir, ["-p", "on", "-c", "--yolo", ...third])).toMatchObject({ code: 0 });
  expect(results(dir)[2]).toBe(dir.at("work", "sub"));
  expect(notes(dir)).toHaveLength(1);
});

test.each(["/etc", ".", "sub"])("a record of %s leads the shell nowhere else and sets nothing", async (cwd) => {
  using dir = scratch();
  dir.write({ "work/sub/.keep": "" });
  expect(await pith(dir, ["-p", "go", ...scripted(dir, { text: "Done." })])).toMatchObject({ code: 0 });
  const data = { cwd, variables: ["PATH", "x; touch made", 7], env: { BASH_ENV: "/tmp/evil" } };
  const parentId = entries(dir).at(-1)?.id;
  const entry = { type: "custom", customType: "pith.shell", data, id: "abcd1234", parentId };
  appendFileSync(sessionFile(dir), `${JSON.stringify({ ...entry, timestamp: "2026-01-01T00:00:00.000Z" })}\n`);
  const second = later(dir, "second", bash('echo "$PWD [$BASH_ENV]"'), { text: "Done." });
  expect(await pith(dir, ["-p", "on", "-c", "--yolo", ...second])).toMatchObject({ code: 0 });
  expect(results(dir)).toEqual([`${dir.at("work")} []`]);
  expect(notes(dir)).toEqual([
    `The shell of this session was started anew. It is in ${dir.at("work")}, no longer in "${cwd}". What commands had set of these variables is gone: PATH.`,
  ]);
});

test("a start-up that hangs does not outlast the time of a command", async () => {
  using dir = scratch();
  dir.write({ "home/.bash_profile": "sleep 30" });
  const turns = [bash("touch made", { timeout: 1 }), bash("echo runs"), { text: "Done." }];
  const ended = await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...turns)]);
  expect(ended).toMatchObject({ code: 0, err: expect.stringContaining("start-up files could not be used") });
  expect(results(dir)).toEqual([expect.stringContaining("timed out after 1 seconds"), "runs"]);
  expect(readdirSync(dir.at("work"))).not.toContain("made");
});
