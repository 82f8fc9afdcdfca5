// Many commands in one shell: nothing is left, nothing grows. A short form runs with the gate; PITH_SOAK=5000 is the
// long one.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { Shell } from "../../packages/host/src/index.ts";
import { alive, until } from "../../packages/kit/src/test/index.ts";
import { envOf, main, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

const commands = Number(process.env.PITH_SOAK ?? 120);
const aborted = Math.max(30, Math.min(200, commands / 3));

const zombies = () =>
  readFileSync(`/proc/self/task/${process.pid}/children`, "latin1")
    .split(" ")
    .filter((pid) => pid && / Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1").replace(/\(.*\)/, "")));

test("commands that are interrupted at random moments leave no process and no zombie", async () => {
  using dir = scratch();
  using shell = new Shell({ cwd: dir.path, env: process.env, startup: "skip" });
  const mark = `${5000 + process.pid}.0125`;
  const shapes = [
    `sleep ${mark}`,
    `sleep ${mark} & sleep ${mark} & wait`,
    `(setsid sleep ${mark} &); sleep ${mark}`,
    `nohup sleep ${mark} >/dev/null 2>&1 & setsid sh -c '(sleep ${mark} &) ; sleep ${mark}' & sleep ${mark}`,
    `trap '' TERM; yes | head -c 100000; sleep ${mark}`,
  ];
  let left = aborted;
  const lane = async () => {
    while (left-- > 0) {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), Math.random() * 60);
      const got = await shell.run({
        command: shapes[left % shapes.length] ?? "",
        timeoutMs: 30_000,
        signal: stop.signal,
        onData() {},
      });
      expect(got.ok && got.value.end).toBe("abort");
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  await until(() => alive(mark).length === 0, "the end of all of them");
  await until(() => zombies().length === 0, "no zombies");
  expect(
    await shell.run({ command: "true", timeoutMs: 5000, signal: new AbortController().signal, onData() {} }),
  ).toMatchObject({
    ok: true,
    value: { exitCode: 0 },
  });
}, 120_000);

test("memory, descriptors and files stay flat over many commands", async () => {
  using dir = scratch();
  using shell = new Shell({ cwd: dir.path, env: { ...process.env, TMPDIR: dir.path }, startup: "skip" });
  const run = async (command: string, onData = (_: Uint8Array) => {}) => {
    const signal = new AbortController().signal;
    const got = await shell.run({ command, timeoutMs: 20_000, signal, onData });
    expect(got.ok && got.value.exitCode).toBe(0);
  };
  const descriptors = () => readdirSync("/proc/self/fd").length;
  for (let i = 0; i < 30; i++) await run("true");
  let cookie = "";
  await run("echo $PITH_RUN", (chunk) => {
    cookie += Buffer.from(chunk).toString();
  });
  // Shells prepared in advance have descriptors too.
  await until(() => alive(cookie.split(".", 1)[0] ?? "").length === 4, "the watcher and three shells ahead");
  Bun.gc(true);
  const [before, memory] = [descriptors(), process.memoryUsage.rss()];
  for (let i = 0; i < commands; i++) await run(i % 20 === 0 ? "seq 1 20000" : `x=${i}; echo $x`);
  await until(() => descriptors() <= before, "as few descriptors as before");
  Bun.gc(true);
  expect(descriptors()).toBeLessThanOrEqual(before);
  expect(process.memoryUsage.rss() - memory).toBeLessThan(48 * 1024 * 1024);
}, 600_000);

test("pith killed in the middle of its work, several times over, leaves no process and no file", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "" });
  const mark = `${6000 + process.pid}.6`;
  const calls = [
    `sleep ${mark} & sleep ${mark}`,
    `setsid sleep ${mark} & (nohup setsid sleep ${mark} &) ; sleep ${mark}`,
  ].map((command, at) => ({ tool: "bash", input: { command, async: at === 0 } }));
  for (let round = 0; round < Math.max(2, Math.min(10, commands / 100)); round++) {
    const child = Bun.spawn(
      [process.execPath, main, "-p", "go", "--yolo", ...scripted(dir, { calls }, { text: "Done." })],
      {
        cwd: dir.at("work"),
        env: envOf(dir),
        stdout: "ignore",
        stderr: "ignore",
      },
    );
    await until(() => alive(`sleep\0${mark}`).length >= 3, "three processes");
    child.kill("SIGKILL");
    await child.exited;
    await until(() => alive(mark).length === 0, "their end");
    expect(alive(mark)).toEqual([]);
  }
  await until(() => readdirSync(dir.at("tmp")).length === 1, "clean temporary files");
  expect(readdirSync(dir.at("tmp"))).toEqual([".keep"]);
}, 120_000);
