// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { alive, scratch, until } from "@pith/kit/test";
import type { ShellCommand } from "../command.ts";
import { Shell, type ShellOptions } from "../shell.ts";

const folder = scratch();
const shells: Shell[] = [];
const said: string[] = [];
beforeEach(() => void said.splice(0));
afterAll(() => {
  for (const shell of shells) shell[Symbol.dispose]();
  folder[Symbol.dispose]();
});

/** A shell of somebody whose ~/.bash_profile is this. */
function open(profile: string, env: Record<string, string> = {}, options: Partial<ShellOptions> = {}): Shell {
  folder.write({ "home/.bash_profile": profile });
  const shell = new Shell({
    cwd: folder.path,
    env: { ...process.env, HOME: folder.at("home"), ...env },
    notify: (text) => said.push(text),
    ...options,
  });
  shells.push(shell);
  return shell;
}

async function run(shell: Shell, command: string, options: Partial<ShellCommand> = {}) {
  let text = "";
  const onData = (chunk: Uint8Array) => {
    text += Buffer.from(chunk).toString();
  };
  const base = { timeoutMs: 60_000, signal: new AbortController().signal, onData };
  const got = await shell.run({ ...base, command, ...options });
  if (!got.ok) throw new Error(got.message);
  return { ...got.value, text };
}

let marks = 0;
const mark = () => `${5000 + process.pid}.${++marks}`;
/** A start-up that takes a lock, as version managers do, and hangs with it. */
const hangs = (sleeper: string) =>
  `bash -c 'trap "rm ${folder.at("lock")}" EXIT; touch ${folder.at("lock")}; sleep ${sleeper}; :'`;

test("programs of an active virtual environment are found first, whatever login files make of PATH", async () => {
  const env = { PATH: `/venv/bin:/mine:${process.env.PATH}`, VIRTUAL_ENV: "/venv" };
  const fresh = open("PATH=/usr/bin:/bin:/new; unset VIRTUAL_ENV", env);
  const { text } = await run(fresh, "echo $PATH $VIRTUAL_ENV");
  expect(text).toMatch(/^\/venv\/bin:\/mine:\S*\/usr\/bin:\/bin:\/new \/venv\n$/);
  const before = open("PATH=/shims:$PATH", env);
  expect((await run(before, "echo $PATH")).text).toMatch(/^\/venv\/bin:\S*\/shims:/);
  const fixed = open("PATH=/usr/bin:/bin; readonly PATH", env);
  expect((await run(fixed, "echo $PATH")).text).toBe("/usr/bin:/bin\n");
});

test("a start-up that hangs costs the command its time, lets go of its lock, and is then done without", async () => {
  const sleeper = mark();
  const shell = open(hangs(sleeper));
  const got = await run(shell, "touch made", { timeoutMs: 1000 });
  expect(got).toMatchObject({ end: "timeout", text: expect.stringContaining("start-up") });
  expect(existsSync(folder.at("made"))).toBe(false);
  expect(existsSync(folder.at("lock"))).toBe(false);
  expect(alive(sleeper)).toEqual([]);
  expect(said).toEqual([expect.stringContaining("took all the time that the command had")]);
  expect((await run(shell, "echo runs")).text).toBe("runs\n");
});

test("time that the start-up took is no longer the command's", async () => {
  const ran = await run(open("sleep 0.7"), "echo begun; sleep 60", { timeoutMs: 3000 });
  expect(ran).toMatchObject({ end: "timeout", text: "begun\n" });
  expect(ran.durationMs).toBeLessThan(2400);
});

test("Ctrl+C during the start-up ends it at once, and the next command begins it anew", async () => {
  const sleeper = mark();
  const shell = open(`echo x >>~/starts; [ -e ~/well ] || ${hangs(sleeper)}; export WELL=1`);
  const stop = new AbortController();
  const running = run(shell, "touch made", { signal: stop.signal });
  await until(() => alive(`sleep\0${sleeper}`).length > 0, "the start-up");
  stop.abort();
  expect(await running).toMatchObject({ end: "abort" });
  expect(alive(sleeper)).toEqual([]);
  expect(existsSync(folder.at("lock"))).toBe(false);
  folder.write({ "home/well": "" });
  expect((await run(shell, "echo $WELL")).text).toBe("1\n");
  expect(readFileSync(folder.at("home", "starts"), "utf8")).toBe("x\nx\n");
  expect([said, existsSync(folder.at("made"))]).toEqual([[], false]);
});

test("who waits for the start-up too is not harmed by somebody else's Ctrl+C", async () => {
  const sleeper = mark();
  const shell = open(`sleep ${sleeper}; export WELL=1`);
  const stop = new AbortController();
  const running = [run(shell, "true", { signal: stop.signal }), run(shell, "echo $WELL")] as const;
  await until(() => alive(`sleep\0${sleeper}`).length > 0, "the start-up");
  stop.abort();
  expect(await running[0]).toMatchObject({ end: "abort" });
  const [pid] = alive(`sleep\0${sleeper}`);
  process.kill(Number(pid), "SIGKILL");
  expect((await running[1]).text).toBe("1\n");
});

test("a session that ends during the start-up leaves neither it nor its lock", async () => {
  const sleeper = mark();
  const shell = open(hangs(sleeper));
  const running = run(shell, "true");
  await until(() => alive(`sleep\0${sleeper}`).length > 0, "the start-up");
  shell[Symbol.dispose]();
  expect(await running).toMatchObject({ end: "abort" });
  await until(() => alive(sleeper).length === 0 && !existsSync(folder.at("lock")), "the end of the start-up");
});

test("pith that is killed during the start-up leaves neither it nor its lock", async () => {
  const sleeper = mark();
  folder.write({ "home/.bash_profile": hangs(sleeper) });
  const script = `
    import { Shell } from ${JSON.stringify(`${import.meta.dir}/../shell.ts`)};
    const shell = new Shell({ cwd: "/", env: process.env });
    await shell.run({ command: "true", timeoutMs: 60000, signal: new AbortController().signal, onData() {} });`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    // The test runner lets nothing outlive its parent; here that is the subject.
    env: { ...process.env, HOME: folder.at("home"), BUN_FEATURE_FLAG_NO_ORPHANS: undefined },
  });
  await until(() => alive(`sleep\0${sleeper}`).length > 0, "the start-up");
  child.kill("SIGKILL");
  await until(() => alive(sleeper).length === 0 && !existsSync(folder.at("lock")), "the end of the start-up");
});

test("a shell can begin elsewhere, and falls back to its own directory when that is gone", async () => {
  folder.write({ "sub/a.txt": "" });
  const there = open("", {}, { startIn: folder.at("sub") });
  expect([there.cwd, (await run(there, "pwd; echo $PWD")).text]).toEqual([
    folder.at("sub"),
    `${folder.at("sub")}\n${folder.at("sub")}\n`,
  ]);
  const gone = open("", {}, { startIn: folder.at("never") });
  expect([gone.cwd, (await run(gone, "pwd")).text]).toEqual([folder.path, `${folder.path}\n`]);
});

test("the variables that commands exported, changed or unset are known by name", async () => {
  const shell = open("export FROM=profile OTHER=1");
  expect(shell.changedExports()).toEqual([]);
  await run(shell, "cd /; x=1; f() { :; }");
  expect(shell.changedExports()).toEqual([]);
  await run(shell, "export NEW='a b' FROM=\"it's $0\"; unset OTHER; PATH=$PATH:/more");
  expect(shell.changedExports()).toEqual(["FROM", "NEW", "OTHER", "PATH"]);
  const broken = open("exit 3");
  await run(broken, "export NEW=1");
  expect(broken.changedExports()).toContain("NEW");
  expect(broken.changedExports()).not.toContain("HOME");
});
