// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, expect, test } from "bun:test";
import { scratch, until } from "@pith/kit/test";
import { Shell } from "../shell/shell.ts";
import { openLibc } from "./libc.ts";
import { Reaper } from "./reaper.ts";
import { ownChildren } from "./table.ts";

const { path: dir } = scratch(afterAll);

test("orphans that died are taken after a second, and no child of the runtime is", async () => {
  const reaped: number[] = [];
  using reaper = new Reaper((pid) => void reaped.push(pid));
  const libc = await openLibc();
  libc?.adoptOrphans();
  const child = Bun.spawn(["/bin/sh", "-c", "(true &); exit 3"]);
  reaper.sweep();
  expect(await child.exited).toBe(3);
  if (libc) await until(() => reaped.length > 0, "the orphan");
  for (const pid of reaped) libc?.reap(pid);
  expect(reaped).not.toContain(child.pid);
  expect(ownChildren().filter(({ pid }) => pid === child.pid)).toEqual([]);
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
  const dead = () => ownChildren().filter(({ state }) => state === "Z");
  await until(() => dead().length === 0, "no zombies");
});
