// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scratch, until } from "@pith/kit/test";
import { findShell } from "../shell/find.ts";
import type { ShellLimits } from "../shell/ground.ts";
import { Shell } from "../shell/shell.ts";
import { cgroupPlaces, homesOf, openCgroup } from "./cgroup.ts";
import { endTree, leftovers, members, type Tree, windowsKill } from "./group.ts";
import { breach, Lookout } from "./lookout.ts";
import { children, processes } from "./process.ts";
import { Reaper } from "./reaper.ts";
import { watch } from "./watcher.ts";

const { path: dir } = scratch(afterAll);

async function run(command: string, limits: ShellLimits, timeoutMs = 60_000) {
  using shell = new Shell({ cwd: dir, env: process.env, startup: "skip", limits });
  const got = await shell.run({ command, timeoutMs, signal: new AbortController().signal, onData() {} });
  if (!got.ok) throw new Error(got.message);
  return got.value;
}
/** Whether this machine lets us make control groups that limit; the rest is then watched instead. */
const probe = openCgroup(cgroupPlaces(`pith-${process.pid}-probe`), { memory: 64 * 1024 * 1024, processes: 10 });
const holds = probe?.holds ?? [];
probe?.remove();

test("our own place is found in version 2, in version 1 and in a mix of both", () => {
  const mixed =
    "31 1 0:1 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n32 1 0:2 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n33 1 0:3 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n34 1 0:4 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n";
  expect(homesOf(mixed, "4:memory:/a/b\n8:pids:/\n1:cpu,cpuacct:/\n0::/own\n")).toEqual([
    "/sys/fs/cgroup/memory/a/b",
    "/sys/fs/cgroup/pids/",
    "/sys/fs/cgroup/unified/own",
  ]);
  expect(homesOf("30 1 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "0::/user.slice/x.scope\n")).toEqual([
    "/sys/fs/cgroup/user.slice/x.scope",
  ]);
  // In a container only a part of the tree is mounted.
  expect(homesOf("30 1 0:1 /docker/x /my\\040cg rw - cgroup2 cgroup2 rw\n", "0::/docker/x/y\n")).toEqual(["/my cg/y"]);
  expect(homesOf("30 1 0:1 / /c rw - cgroup2 cgroup2 rw\n", "0::/../outside\n")).toEqual([]);
  expect(homesOf("", "")).toEqual([]);
});

test("a place that does not let us in is done without", () => {
  const places = cgroupPlaces("x", (file) =>
    file.endsWith("mountinfo") ? "30 1 0:1 / /nowhere rw - cgroup2 cgroup2 rw\n" : "0::/\n",
  );
  expect(places).toEqual(["/nowhere/x"]);
  expect(openCgroup(places, {})).toBeUndefined();
});

test.skipIf(!holds.includes("processes"))("a fork bomb meets the limit, is ended, and the result says so", async () => {
  const got = await run(":(){ :|:& }; :; sleep 0.3; false", { command: { processes: 40 } }, 5000);
  expect(got.limit?.what).toBe("processes");
  expect((await run(":(){ :|:& }; :; sleep 0.3", { command: { processes: 40 } }, 5000)).limit?.what).toBe("processes");
  expect(got.limits).toContain("control group");
});

test.skipIf(!holds.includes("memory"))(
  "a command that takes too much memory is killed by the kernel and the result says so",
  async () => {
    const got = await run("x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}", {
      command: { memory: 48 * 1024 * 1024 },
    });
    expect(got.limit?.what).toBe("memory");
    expect(got.exitCode === undefined || got.exitCode !== 0).toBe(true);
  },
);

test("a command that leaves too little of the disk is ended, and the result says so", async () => {
  const got = await run("sleep 200", { freeDisk: Number.MAX_SAFE_INTEGER });
  expect(got).toMatchObject({ end: "limit", limit: { what: "disk" } });
});

test("a file grows to its limit and no further", async () => {
  await run("head -c 5000000 /dev/zero > big", { fileSize: 1024 * 1024 });
  expect(Bun.file(join(dir, "big")).size).toBe(1024 * 1024);
});

test("where the kernel holds no limit, processes and memory are counted", () => {
  const crowd = [1, 2, 3].map(() => ({ pid: process.pid, group: 1, state: "S" }));
  const disk = { cwd: dir, free: 10 };
  expect(breach({ processes: 2 }, disk, crowd)?.what).toBe("processes");
  expect(breach({ processes: 3 }, disk, crowd)).toBeUndefined();
  expect(breach({ memory: 1024 * 1024 }, disk, crowd)?.what).toBe("memory");
  expect(breach({ memory: 2 ** 50 }, disk, crowd)).toBeUndefined();
  expect(breach({ freeDisk: 11 }, disk, [])?.what).toBe("disk");
});

test("a command beyond a limit that is only watched is found by its group", async () => {
  const child = Bun.spawn(["/bin/sh", "-c", "sleep 60 & sleep 60 & wait"], { detached: true });
  const broken = Promise.withResolvers<string>();
  using lookout = new Lookout({ processes: 2 });
  const tree: Tree = { group: child.pid, cgroup: undefined, cookie: "NONE=1", orphans: "lost" };
  using _ = lookout.add({ tree, cwd: dir, stop: ({ what }) => broken.resolve(what) });
  expect(await broken.promise).toBe("processes");
  await endTree(tree);
});

test("what left its group still counts for a limit that is only watched", async () => {
  const cookie = `PITH_RUN=crowd-${process.pid}.1`;
  const child = Bun.spawn(["/bin/sh", "-c", "for i in 1 2 3; do setsid sleep 335 & done; wait"], {
    env: { PATH: process.env.PATH, PITH_RUN: cookie.split("=")[1] },
    detached: true,
    stdio: ["ignore", "ignore", "ignore"],
  });
  const broken = Promise.withResolvers<string>();
  using lookout = new Lookout({ processes: 3 });
  const tree: Tree = { group: child.pid, cgroup: undefined, cookie, orphans: "lost" };
  using _ = lookout.add({ tree, cwd: dir, stop: ({ what }) => broken.resolve(what) });
  expect(await broken.promise).toBe("processes");
  await endTree(tree);
});

test("without control groups, what left its group, session and parent is found by its cookie and ended", async () => {
  const cookie = `PITH_RUN=test-${process.pid}.1`;
  const child = Bun.spawn(
    ["/bin/sh", "-c", "setsid sleep 333 & (setsid nohup sleep 334 >/dev/null 2>&1 &) ; sleep 0.05"],
    {
      env: { PATH: process.env.PATH, PITH_RUN: cookie.split("=")[1] },
      detached: true,
      stdio: ["ignore", "ignore", "ignore"],
    },
  );
  await child.exited;
  const tree: Tree = { group: child.pid, cgroup: undefined, cookie, orphans: "lost" };
  expect(members(tree)).toHaveLength(2);
  expect(leftovers(tree)).toBe("some");
  await endTree(tree);
  expect(leftovers(tree)).toBe("none");
});

test("orphans that died are taken after a second, and no child of the runtime is", async () => {
  const reaped: number[] = [];
  using reaper = new Reaper((pid) => void reaped.push(pid));
  const child = Bun.spawn(["/bin/sh", "-c", "exit 3"]);
  reaper.sweep();
  expect(await child.exited).toBe(3);
  await Bun.sleep(1100);
  expect(reaped).not.toContain(child.pid);
  expect(children().filter(({ pid }) => pid === child.pid)).toEqual([]);
});

test("double forks leave no zombies below us", async () => {
  using shell = new Shell({ cwd: dir, env: process.env, startup: "skip" });
  for (let i = 0; i < 5; i++)
    await shell.run({
      command: "(sleep 0.01 &); (true &); sleep 0.05",
      timeoutMs: 5000,
      signal: new AbortController().signal,
      onData() {},
    });
  const dead = () => children().filter(({ state }) => state === "Z");
  await until(() => dead().length === 0, "no zombies");
});

test("the shell is bash, sh without it, Git's on Windows, and never the user's own or WSL's", () => {
  const find = (platform: NodeJS.Platform, files: string[], env = {}) =>
    findShell({ platform, env: { SHELL: "/bin/zsh", ...env }, exists: (path) => files.includes(path) });
  expect(find("linux", ["/bin/sh", "/usr/bin/bash", "/bin/zsh"])).toEqual({ path: "/usr/bin/bash", dialect: "bash" });
  expect(find("linux", ["/bin/sh", "/nix/bin/bash"], { PATH: "relative:/nix/bin" })?.path).toBe("/nix/bin/bash");
  expect(find("linux", ["/bin/sh"])).toEqual({ path: "/bin/sh", dialect: "sh" });
  expect(find("darwin", ["/bin/sh", "/opt/homebrew/bin/bash"])?.path).toBe("/opt/homebrew/bin/bash");
  const git = "C:\\Program Files\\Git\\bin\\bash.exe";
  const windows = { ProgramFiles: "C:\\Program Files", PATH: "C:\\Windows\\System32;D:\\tools" };
  expect(find("win32", [git, "C:\\Windows\\System32\\bash.exe"], windows)).toEqual({ path: git, dialect: "bash" });
  expect(find("win32", ["C:\\Windows\\System32\\bash.exe"], windows)).toBeUndefined();
  expect(find("win32", ["D:\\tools\\bash.exe"], windows)?.path).toBe("D:\\tools\\bash.exe");
});

test("on Windows a process is ended with all its children", () => {
  expect(windowsKill(42)).toEqual(["taskkill", "/PID", "42", "/T", "/F"]);
});

test("a watcher that is killed is replaced by one that knows what runs", async () => {
  const cookie = `pith-test-${crypto.randomUUID()}`;
  const child = Bun.spawn(["sleep", "60"], { detached: true, stdio: ["ignore", "ignore", "ignore"] });
  const watcher = watch({ groups: [], folders: [], cookie, env: process.env });
  watcher?.begin("1", child.pid);
  const said = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  const watching = () => processes().find(({ pid }) => said(pid).includes(cookie))?.pid;
  await until(() => watching() !== undefined, "a watcher");
  const first = watching();
  if (first) process.kill(first, "SIGKILL");
  await until(() => (watching() ?? first) !== first, "another watcher");
  watcher?.[Symbol.dispose]();
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
});
