// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import type { ShellLimits } from "../shell/runtime.ts";
import { Shell } from "../shell/shell.ts";
import { cgroupHomes, cgroupPaths, openCgroup } from "./cgroup.ts";

const { path: dir } = scratch(afterAll);

async function run(command: string, limits: ShellLimits, timeoutMs = 60_000) {
  using shell = new Shell({ cwd: dir, env: process.env, startup: "skip", limits });
  const got = await shell.run({ command, timeoutMs, signal: new AbortController().signal, onData() {} });
  if (!got.ok) throw new Error(got.message);
  return got.value;
}

/** Tells if this machine lets us make control groups that limit; the rest is watched instead. */
const probe = openCgroup(cgroupPaths(`pith-${process.pid}-probe`), { memory: 64 * 1024 * 1024, processes: 10 });

const holds = probe?.enforced ?? [];

probe?.remove();

test("our own place is found in version 2, in version 1 and in a mix of both", () => {
  const mixed =
    "31 1 0:1 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n32 1 0:2 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n33 1 0:3 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n34 1 0:4 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n";
  expect(cgroupHomes(mixed, "4:memory:/a/b\n8:pids:/\n1:cpu,cpuacct:/\n0::/own\n")).toEqual([
    "/sys/fs/cgroup/memory/a/b",
    "/sys/fs/cgroup/pids/",
    "/sys/fs/cgroup/unified/own",
  ]);
  expect(cgroupHomes("30 1 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "0::/user.slice/x.scope\n")).toEqual([
    "/sys/fs/cgroup/user.slice/x.scope",
  ]);
  // In a container only a part of the tree is mounted.
  expect(cgroupHomes("30 1 0:1 /docker/x /my\\040cg rw - cgroup2 cgroup2 rw\n", "0::/docker/x/y\n")).toEqual([
    "/my cg/y",
  ]);
  expect(cgroupHomes("30 1 0:1 / /c rw - cgroup2 cgroup2 rw\n", "0::/../outside\n")).toEqual([]);
  expect(cgroupHomes("", "")).toEqual([]);
});

test("a place that does not let us in is done without", () => {
  const places = cgroupPaths("x", (file) =>
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

test("a file grows to its limit and no further", async () => {
  expect(await run("head -c 5000000 /dev/zero > big", { fileSize: 1024 * 1024 })).toMatchObject({
    limit: { what: "file size", text: expect.stringContaining("1MB") },
  });
  expect(Bun.file(join(dir, "big")).size).toBe(1024 * 1024);
  // A program that does not end by the signal is refused the write, and tells of it.
  expect(
    await run("trap '' XFSZ; head -c 5000000 /dev/zero > other || exit 4", { fileSize: 1024 * 1024 }),
  ).toMatchObject({ exitCode: 4, limit: { what: "file size" } });
});
