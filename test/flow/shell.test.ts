// The shell of a session through whole runs of pith: state, jobs, people's own commands, and what is left when pith is
// gone.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { alive, until } from "../../packages/kit/src/test/index.ts";
import { need } from "../need.ts";
import { envOf, main, pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { terminal as openTerminal } from "../terminal.ts";

const bash = (command: string, more: object = {}) => ({ calls: [{ tool: "bash", input: { command, ...more } }] });

/** All entries of the one session that a run wrote. */
function entries(dir: Scratch): Record<string, unknown>[] {
  const sessions = dir.at("home", ".pith", "sessions");
  const files = readdirSync(sessions, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".jsonl"));
  expect(files).toHaveLength(1);
  const text = readFileSync(join(sessions, files[0] ?? ""), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
const resultsOf = (dir: Scratch) =>
  entries(dir).flatMap(({ message }) =>
    (message as { role?: string } | undefined)?.role === "toolResult" ? [JSON.stringify(message)] : [],
  );

const gone = async (mark: string) => {
  await until(() => alive(mark).length === 0, `the end of ${mark}`);
  return alive(mark);
};
let marks = 0;
const mark = () => `${4000 + process.pid}.${++marks}`;

const terminal = (dir: Scratch, argv: readonly string[]) => openTerminal(dir, argv, {}, { cols: 100, rows: 30 });

test("what one call leaves in the shell, the next one finds", async () => {
  using dir = scratch();
  dir.write({ "work/sub/.keep": "" });
  const ended = await pith(dir, [
    "-p",
    "go",
    "--yolo",
    ...scripted(dir, bash("cd sub; export X=1; f() { echo f$X; }"), bash("pwd; f"), { text: "Done." }),
  ]);
  expect(ended).toMatchObject({ code: 0, out: "Done.\n" });
  expect(resultsOf(dir)[1]).toContain(`${dir.at("work", "sub")}\\nf1`);
  expect(readdirSync(dir.at("tmp"))).toEqual([".keep"]);
});

test("a job in the background is told exactly once, by itself", async () => {
  using dir = scratch();
  const turns = [
    bash("echo built-it; touch built", { async: true }),
    bash("until [ -e built ]; do sleep 0.05; done; sleep 1"),
    { expect: { user: "built-it" }, text: "Saw it." },
  ];
  expect(await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...turns)])).toMatchObject({
    code: 0,
    out: "Saw it.\n",
  });
  const told = entries(dir).filter(
    ({ type, content }) => type === "custom_message" && String(content).includes("built-it"),
  );
  expect(told).toHaveLength(1);
});

test("a job that was waited for is not told again", async () => {
  using dir = scratch();
  const turns = [
    bash("sleep 0.2; echo built-it", { async: true }),
    { calls: [{ tool: "job", input: {} }] },
    { text: "Done." },
  ];
  expect(await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...turns)])).toMatchObject({
    code: 0,
    out: "Done.\n",
  });
  expect(resultsOf(dir)[1]).toContain("## Completed (1)");
  expect(entries(dir).filter(({ type }) => type === "custom_message")).toEqual([]);
});

/** Another script: one that is played again goes on where the session is. */
function later(dir: Scratch, name: string, ...turns: unknown[]): string[] {
  dir.write({ [`${name}.json`]: JSON.stringify({ turns }) });
  return ["--model", dir.at(`${name}.json`)];
}
const notes = (dir: Scratch) =>
  entries(dir).flatMap(({ customType, content }) =>
    customType === "pith.note" && !String(content).includes("environment it has changed") ? [String(content)] : [],
  );

test("jobs end with the session: the model is told before, and again when the session goes on", async () => {
  using dir = scratch();
  const sleeper = mark();
  const first = scripted(
    dir,
    bash(`echo begun; sleep ${sleeper}`, { async: true }),
    { text: "Done." },
    { text: "Leave it." },
  );
  expect(await pith(dir, ["-p", "go", "--yolo", ...first])).toMatchObject({
    code: 0,
    out: expect.stringContaining("Leave it."),
  });
  expect(await gone(sleeper)).toEqual([]);
  expect(notes(dir)).toEqual([expect.stringContaining(`bash-1 (echo begun; sleep ${sleeper})`)]);
  expect(await pith(dir, ["-p", "and?", "-c", "--yolo", ...later(dir, "second", { text: "I see." })])).toMatchObject({
    code: 0,
    out: "I see.\n",
  });
  expect(notes(dir)[1]).toContain("was ended with the session");
  expect(
    await pith(dir, ["-p", "and?", "-c", "--yolo", ...later(dir, "third", { text: "Nothing new." })]),
  ).toMatchObject({ code: 0, out: "Nothing new.\n" });
  expect(notes(dir)).toHaveLength(2);
});

test("a job that ran when pith was killed is told as lost, and its name is not given out again", async () => {
  using dir = scratch();
  const sleeper = mark();
  dir.write({ "work/.keep": "", "tmp/.keep": "" });
  const turns = scripted(dir, bash(`sleep ${sleeper}`, { async: true }), bash(`sleep ${sleeper}`), { text: "Never." });
  const child = Bun.spawn([process.execPath, main, "-p", "go", "--yolo", ...turns], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdout: "ignore",
    stderr: "ignore",
  });
  await until(() => alive(`sleep\0${sleeper}`).length >= 2, "both commands");
  child.kill("SIGKILL");
  await child.exited;
  expect(await gone(sleeper)).toEqual([]);
  const more = [
    { calls: [{ tool: "job", input: { list: true } }] },
    bash("true", { async: true }),
    { calls: [{ tool: "job", input: { poll: ["bash-2"] } }] },
    { text: "Done." },
  ];
  expect(await pith(dir, ["-p", "go on", "-c", "--yolo", ...later(dir, "more", ...more)])).toMatchObject({ code: 0 });
  expect(notes(dir)[0]).toContain("bash-1");
  expect(notes(dir)[0]).toContain("was lost");
  expect(resultsOf(dir).some((text) => text.includes("bash-1 [lost]"))).toBe(true);
  expect(resultsOf(dir).some((text) => text.includes("Started background job bash-2"))).toBe(true);
});

test("when pith is killed, everything it started goes with it, however far it ran away", async () => {
  using dir = scratch();
  const sleeper = mark();
  // A process that leaves its session and clears its environment is only found by a control group, which root may make.
  const cleared = process.getuid?.() === 0 ? "env -i " : "";
  const away = [
    `sleep ${sleeper} & setsid sleep ${sleeper} & (setsid nohup sleep ${sleeper} >/dev/null 2>&1 &)`,
    `${cleared}setsid sh -c '(sleep ${sleeper} &)'; sleep ${sleeper}`,
  ].join("; ");
  dir.write({ "work/.keep": "", "tmp/.keep": "" });
  const child = Bun.spawn(
    [process.execPath, main, "-p", "go", "--yolo", ...scripted(dir, bash(away), { text: "Done." })],
    {
      cwd: dir.at("work"),
      env: envOf(dir),
      stdout: "ignore",
      stderr: "ignore",
    },
  );
  await until(() => alive(`sleep\0${sleeper}`).length >= 5, "all processes");
  child.kill("SIGKILL");
  await child.exited;
  expect(await gone(sleeper)).toEqual([]);
  await until(() => readdirSync(dir.at("tmp")).length === 1, "clean temporary files");
  expect(readdirSync(dir.at("tmp"))).toEqual([".keep"]);
});

test("people run commands: with ! the model sees them, with !! it does not, and Ctrl+C ends one", async () => {
  using dir = scratch();
  const sleeper = mark();
  const desk = terminal(dir, scripted(dir, { text: "Seen." }));
  await desk.waits();
  desk.type("!seq 1 100; exit $((1+2))\n");
  await desk.sees("exit 3");
  expect(desk.tape()).toMatch(/8[01] lines before/);
  expect(desk.tape()).not.toMatch(/^ {2}80$/m);
  desk.type("!!echo hid''den\n");
  await desk.sees("not shown to the model");
  desk.type(`!sleep ${sleeper}\n`);
  await until(() => alive(sleeper).length > 0, "the command");
  desk.type("\u0003");
  await desk.sees("cancelled");
  desk.type("what was that?\n");
  await desk.sees("Seen.");
  desk.type("/quit\n");
  expect(await desk.child.exited).toBe(0);
  const runs = entries(dir).flatMap(({ message }) =>
    (message as { role?: string } | undefined)?.role === "bashExecution" ? [message as Record<string, unknown>] : [],
  );
  expect(
    runs.map(({ exitCode, cancelled, excludeFromContext }) => [
      exitCode ?? null,
      cancelled,
      excludeFromContext ?? false,
    ]),
  ).toEqual([
    [3, false, false],
    [0, false, true],
    [null, true, false],
  ]);
  expect(await gone(sleeper)).toEqual([]);
});

test("of a long output a person sees the end, how much came before, and all of it with /more", async () => {
  using dir = scratch();
  const desk = terminal(dir, scripted(dir, { text: "Seen." }));
  await desk.waits();
  desk.type("/more\n");
  await desk.sees("Nothing was shown yet.");
  desk.type("!seq 30000\n");
  await desk.sees("lines before");
  await desk.sees("artifact://0");
  expect(desk.tape()).not.toMatch(/^ +123$/m);
  desk.type("/more\n");
  await desk.sees(/^ +123\n[\s\S]*\n +30000\n+❯$/m);
  desk.type("!kill -9 $$\n");
  await desk.sees("ended by SIGKILL");
  desk.type("/quit\n");
  expect(await desk.child.exited).toBe(0);
});

test("only a detached job outlives pith; `pith jobs` lists it with its log and ends it", async () => {
  using dir = scratch();
  const sleeper = mark();
  const desk = terminal(dir, [
    "--yolo",
    ...scripted(dir, bash(`echo early; sleep 0.5; echo late; sleep ${sleeper}`, { async: true }), { text: "Started." }),
  ]);
  await desk.waits();
  desk.type("go\n");
  await desk.sees("Started.");
  desk.type("/jobs\n");
  await desk.sees("jobs: 1 of 1 job running");
  desk.type("\x1bd");
  await desk.sees("goes on without pith as");
  desk.type("\x1b");
  await desk.waits();
  desk.type("/quit\n");
  expect(await desk.child.exited).toBe(0);
  const { out } = await pith(dir, ["jobs"]);
  const [, id, log] = /^(\w+) {2}running +\d+ +(\S+)/m.exec(out) ?? [];
  await until(() => readFileSync(log ?? "", "utf8").includes("late"), "the log");
  expect(readFileSync(log ?? "", "utf8")).toBe("early\nlate\n");
  await until(() => alive(sleeper).length === 1, "the command");
  expect(await pith(dir, ["jobs", "stop", id ?? ""])).toMatchObject({ code: 0 });
  expect(await gone(sleeper)).toEqual([]);
  expect((await pith(dir, ["jobs"])).out).toContain("ended");
  expect(await pith(dir, ["jobs", "stop", "nothing"])).toMatchObject({ code: 1 });
  expect(existsSync(log ?? "")).toBe(true);
});

test.skipIf(need("bwrap") !== undefined)(
  "a job that is detached behind the wall stays behind it, and nothing of it is left",
  async () => {
    using dir = scratch();
    const sleeper = mark();
    const says = "while [ ! -e go ]; do sleep 0.05; done; echo x > ~/out; echo x > .git/config; echo t > /tmp/t";
    dir.write({ "work/.git/config": "[core]\n", "work/.git/HEAD": "ref: refs/heads/main\n", "work/try.sh": says });
    const model = scripted(dir, bash(`sh try.sh; echo late; sleep ${sleeper}`, { async: true }), { text: "Started." });
    const desk = terminal(dir, ["--approval", "yolo", "--sandbox", "workspace", ...model]);
    await desk.waits();
    desk.type("go\n");
    await desk.sees("Started.");
    await desk.waits();
    desk.type("/jobs detach bash-1\n");
    await desk.sees("goes on without pith");
    await desk.waits();
    desk.type("/quit\n");
    expect(await desk.child.exited).toBe(0);
    const [, id, log = ""] = /^(\w+) {2}running +\d+ +(\S+)/m.exec((await pith(dir, ["jobs"])).out) ?? [];
    dir.write({ "work/go": "" });
    await until(() => readFileSync(log, "utf8").includes("late"), "the log");
    expect(readFileSync(log, "utf8")).toContain("Read-only file system");
    expect([existsSync(dir.at("home/out")), readFileSync(dir.at("work/.git/config"), "utf8")]).toEqual([
      false,
      "[core]\n",
    ]);
    expect(await pith(dir, ["jobs", "stop", id ?? ""])).toMatchObject({ code: 0 });
    expect(await gone(sleeper)).toEqual([]);
    const left = () =>
      ["/dev/shm", "/var/tmp"].flatMap((place) =>
        readdirSync(place).filter((name) => name.includes(`.${desk.child.pid}-`)),
      );
    await until(() => left().length === 0, `the end of ${left()}`);
  },
  15_000,
);

test("a prompt that begins with ! is only a prompt: nobody typed it at a prompt of ours", async () => {
  using dir = scratch();
  expect(await pith(dir, ["-p", "!touch made", ...scripted(dir, { text: "No." })])).toMatchObject({
    code: 0,
    out: "No.\n",
  });
  expect(await pith(dir, ["-p", ...scripted(dir, { text: "No." })], { input: "!touch made\n" })).toMatchObject({
    code: 0,
  });
  expect(existsSync(dir.at("work", "made"))).toBe(false);
});
