// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLines } from "@pith/kit";
import { scratch, until } from "@pith/kit/test";
import { need } from "../../../../../test/need.ts";
import { sandboxed } from "../../test/sandboxed.ts";
import { processes } from "../process/table.ts";
import { ShellRuntime } from "../shell/runtime.ts";
import { KeptProgram } from "./kept.ts";
import { type Program, type ProgramOptions, startProgram } from "./program.ts";
import { runProgram } from "./run.ts";

const dir = scratch(afterAll);
const runtime = new ShellRuntime({ env: process.env, configured: undefined, limits: {} });
afterAll(() => runtime[Symbol.dispose]());

/** True for a process that runs; one that is dead and not yet taken leave of does not. */
const alive = (pid: number) => processes().some((one) => one.pid === pid && one.state !== "Z");

const env = { PATH: process.env.PATH, HOME: dir.path };
const sh = (script: string, more: Partial<ProgramOptions> = {}) => ({
  argv: ["sh", "-c", script],
  cwd: dir.path,
  env,
  ...more,
});

async function start(script: string, more: Partial<ProgramOptions> = {}): Promise<Program> {
  const got = await startProgram(runtime, sh(script, { stdin: "pipe", ...more }));
  if (!got.ok) throw new Error(got.message);
  return got.value;
}

async function run(script: string, more: Partial<Parameters<typeof runProgram>[1]> = {}) {
  const { signal } = new AbortController();
  const got = await runProgram(runtime, { ...sh(script), timeoutMs: 60_000, maxOutput: 1024 * 1024, signal, ...more });
  if (!got.ok) throw new Error(got.message);
  return got.value;
}

test("a program that stays answers line by line, and ends when its input does", async () => {
  const program = await start('while read -r x; do echo "got $x"; done; echo over >&2; exit 3');
  const lines = readLines(program.output, 1024);
  for (const word of ["one", "two"]) {
    expect(await program.write(`${word}\n`)).toBe("written");
    expect((await lines.next()).value).toBe(`got ${word}`);
  }
  expect(await program.end()).toMatchObject({ exitCode: 3, signal: undefined });
  expect(program.complaints).toBe("over\n");
  expect(await program.write("x")).toBe("gone");
});

test("it has the environment it was given, one that marks it, and nothing of ours", async () => {
  const { output } = await run("env");
  const names = output.split("\n").flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
  expect(names.filter((name) => !/^(?:PWD|SHLVL|OLDPWD|_)$/.test(name)).sort()).toEqual(["HOME", "PATH", "PITH_RUN"]);
});

test("its words reach it as they are, and no shell reads them", async () => {
  const words = ["$(touch evil)", "a b", "", "`x`", "*", "-n", "é\n;"];
  const got = await run("", { argv: ["sh", "-c", 'for w; do printf "%s\\0" "$w"; done', "sh", ...words] });
  expect(got.output.split("\0").slice(0, -1)).toEqual(words);
  expect(existsSync(dir.at("evil"))).toBe(false);
});

test("standard input, output and errors can be opened by their names", async () => {
  const got = await run("cat /dev/stdin > /dev/stdout; echo no > /dev/stderr", { input: "all of it" });
  expect(got).toMatchObject({ output: "all of it", complaints: "no\n", exitCode: 0, end: "exit" });
});

test.each([
  ["there is none of that name", ["no-such-program-here"], "was not found on PATH"],
  ["its path leads nowhere", ["./nowhere"], "cannot be opened"],
  ["it may not be executed", ["./plain"], "may not be executed"],
  ["it is a directory", ["./"], "may not be executed"],
])("a program does not start where %s, and the reason names it", async (_, argv, why) => {
  dir.write({ plain: "echo hi" });
  const got = await startProgram(runtime, { argv, cwd: dir.path, env });
  expect(got).toMatchObject({ ok: false, kind: "missing", message: expect.stringContaining(why) });
});

test("one that does not end is ended when its time is over, with all that it has started", async () => {
  const got = await run("trap '' TERM HUP; sleep 300 & echo $!; (setsid sleep 300 & echo $!); wait; sleep 300", {
    timeoutMs: 700,
  });
  expect(got.end).toBe("timeout");
  const pids = got.output.trim().split("\n").map(Number);
  expect(pids).toHaveLength(2);
  await until(() => !pids.some(alive), "the end of what it started");
});

test("what it leaves behind is ended with it", async () => {
  const got = await run("sleep 300 >/dev/null 2>&1 & echo $!; setsid sleep 300 >/dev/null 2>&1 & echo $!; sleep 0.1");
  expect(got.exitCode).toBe(0);
  await until(() => !got.output.trim().split("\n").map(Number).some(alive), "the end of what it left");
});

test("a flood of output ends it, a flood of complaints keeps the last of them", async () => {
  expect(await run("yes", { maxOutput: 100_000 })).toMatchObject({ end: "limit", limit: { what: "output" } });
  const got = await run("head -c 20000000 /dev/zero | tr '\\0' x >&2; echo end >&2");
  expect(got.exitCode).toBe(0);
  expect(got.complaints.length).toBeLessThanOrEqual(16 * 1024);
  expect(got.complaints).toEndWith("xxxend\n");
});

test("one that does not read is ended all the same, and whoever writes to it is told", async () => {
  const program = await start("sleep 300");
  const writing = program.write("x".repeat(8 * 1024 * 1024));
  const end = await program.end(50);
  expect(end.signal).toBe("SIGTERM");
  expect(await writing).toBe("gone");
});

test("one whose output nobody reads waits, and takes no memory of ours", async () => {
  const program = await start("head -c 300000000 /dev/zero; echo late > written");
  const before = process.memoryUsage.rss();
  await new Promise((done) => setTimeout(done, 300));
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  expect(existsSync(dir.at("written"))).toBe(false);
  expect((await program.end(0)).signal).toBe("SIGKILL");
});

test("a limit of processes holds", async () => {
  const many = "for i in $(seq 100); do sleep 60 & done; wait";
  const got = await run("", { argv: ["bash", "-c", many], limits: { processes: 30 }, timeoutMs: 1500 });
  expect(got.limit?.what).toBe("processes");
  expect(got.exitCode).not.toBe(0);
});

test.skipIf(need("bwrap") !== undefined)(
  "in a sandbox of its own it writes what it may, and sees what changes later",
  async () => {
    using box = sandboxed(dir.at("boxed"));
    const within = (writes: "project" | "nothing") =>
      ({ within: { sandbox: box.sandbox, kind: { writes, network: "none" } }, cwd: box.at(".") }) as const;
    const script = "read -r x; cat later; echo here >mine || echo refused; echo there >../away";
    for (const writes of ["nothing", "project"] as const) {
      const program = await start(script, within(writes));
      writeFileSync(box.at("later"), `later, ${writes}\n`);
      await program.write("go\n");
      const output = await new Response(program.output).text();
      expect((await program.exited).unbuilt).toBeUndefined();
      expect(output).toBe(`later, ${writes}\n${writes === "nothing" ? "refused\n" : ""}`);
      expect(existsSync(box.at("mine"))).toBe(writes === "project");
    }
    expect(existsSync(dir.at("boxed", "away"))).toBe(false);
  },
);

test("no descriptor and no file is left of it", async () => {
  await run("true");
  const opened = await runtime.open();
  const count = () => readdirSync("/proc/self/fd").length;
  const before = count();
  for (let round = 0; round < 20; round++) await run("echo x; echo y >&2", { input: "in" });
  const program = await start("cat");
  await program.end();
  await until(() => count() <= before + 1, "closed descriptors");
  if (opened.ok) expect(readdirSync(opened.value.folder)).toEqual([]);
});

test("it ends when we are killed, whatever it does about it", async () => {
  const room = (name: string) => JSON.stringify(join(import.meta.dir, name));
  const script = "trap '' TERM HUP INT; (setsid sleep 300 & echo $! >two); echo $$ >one; sleep 300; sleep 300";
  dir.write({
    "host.ts": `import { ShellRuntime } from ${room("../shell/runtime.ts")};
import { startProgram } from ${room("program.ts")};
const runtime = new ShellRuntime({ env: process.env, configured: undefined, limits: {} });
const argv = ["sh", "-c", ${JSON.stringify(script)}];
const cwd = ${JSON.stringify(dir.path)};
const got = await startProgram(runtime, { argv, cwd, env: { PATH: process.env.PATH }, stdin: "pipe" });
if (!got.ok) throw new Error(got.message);
await new Promise((done) => setTimeout(done, 300_000));`,
  });
  const host = Bun.spawn([process.execPath, dir.at("host.ts")], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { PATH: process.env.PATH, HOME: dir.path, TMPDIR: dir.path, BUN_BE_BUN: "1" },
  });
  const pid = (name: string) => (existsSync(dir.at(name)) ? Number(readFileSync(dir.at(name), "utf8")) : 0);
  await until(() => pid("one") > 0 && pid("two") > 0, "its processes");
  host.kill("SIGKILL");
  await until(() => !alive(pid("one")) && !alive(pid("two")), "their end");
});

test("a kept program starts when asked for, again when it ends, and is given up when it never stays", async () => {
  let starts = 0;
  const ends: (number | undefined)[] = [];
  const kept = new KeptProgram({
    waitsMs: [1, 1],
    async start() {
      starts++;
      const program = await start("read -r x; exit 7");
      return { ok: true, value: { program, service: program } };
    },
    ended: ({ exitCode }) => void ends.push(exitCode),
  });
  expect(starts).toBe(0);
  for (let round = 1; round <= 3; round++) {
    const [one, other] = [await kept.get(), await kept.get()];
    if (!one.ok || !other.ok) throw new Error("did not start");
    expect(one.value).toBe(other.value);
    expect(starts).toBe(round);
    await one.value.write("go\n");
    await until(() => ends.length === round, "its end");
  }
  expect(ends).toEqual([7, 7, 7]);
  expect(await kept.get()).toMatchObject({ ok: false, message: expect.stringContaining("3 times") });
  kept.again();
  const fresh = await kept.get();
  if (!fresh.ok) throw new Error("did not start again");
  await kept[Symbol.asyncDispose]();
  expect(alive(fresh.value.pid)).toBe(false);
  expect(await kept.get()).toMatchObject({ ok: false });
});
