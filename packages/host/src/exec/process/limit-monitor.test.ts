// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import type { ShellLimits } from "../shell/runtime.ts";
import { Shell } from "../shell/shell.ts";
import { breachOf, LimitMonitor } from "./limit-monitor.ts";
import { endTree, type ProcessTree } from "./tree.ts";

const { path: dir } = scratch(afterAll);

async function run(command: string, limits: ShellLimits, timeoutMs = 60_000) {
  using shell = new Shell({ cwd: dir, env: process.env, startup: "skip", limits });
  const got = await shell.run({ command, timeoutMs, signal: new AbortController().signal, onData() {} });
  if (!got.ok) throw new Error(got.message);
  return got.value;
}

test("a command that leaves too little of the disk is ended, and the result says so", async () => {
  const got = await run("sleep 200", { freeDisk: Number.MAX_SAFE_INTEGER });
  expect(got).toMatchObject({ end: "limit", limit: { what: "disk" } });
});

test("where the kernel holds no limit, processes and memory are counted", () => {
  const crowd = [1, 2, 3].map(() => ({ pid: process.pid, group: 1, state: "S" }));
  const disk = { cwd: dir, free: 10 };
  expect(breachOf({ processes: 2 }, disk, crowd)?.what).toBe("processes");
  expect(breachOf({ processes: 3 }, disk, crowd)).toBeUndefined();
  expect(breachOf({ memory: 1024 * 1024 }, disk, crowd)?.what).toBe("memory");
  expect(breachOf({ memory: 2 ** 50 }, disk, crowd)).toBeUndefined();
  expect(breachOf({ freeDisk: 11 }, disk, [])?.what).toBe("disk");
});

test("a command beyond a limit that is only watched is found by its group", async () => {
  const child = Bun.spawn(["/bin/sh", "-c", "sleep 60 & sleep 60 & wait"], { detached: true });
  const broken = Promise.withResolvers<string>();
  using lookout = new LimitMonitor({ processes: 2 });
  const tree: ProcessTree = { group: child.pid, cgroup: undefined, variable: "NONE=1", orphans: "lost" };
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
  using lookout = new LimitMonitor({ processes: 3 });
  const tree: ProcessTree = { group: child.pid, cgroup: undefined, variable: cookie, orphans: "lost" };
  using _ = lookout.add({ tree, cwd: dir, stop: ({ what }) => broken.resolve(what) });
  expect(await broken.promise).toBe("processes");
  await endTree(tree);
});
