// The temporary folder is open to all: what stands there under a name of ours may be somebody's link.
import { expect, test } from "bun:test";
import { existsSync, lchownSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { startWatchdog } from "../../packages/host/src/exec/process/watchdog.ts";
import { ShellRuntime } from "../../packages/host/src/exec/shell/runtime.ts";
import { until } from "../../packages/kit/src/test/index.ts";
import { scratch } from "../scratch.ts";

/** No process has it: it is beyond the highest number there can be. */
const nobody = 99_999_999;
const isRoot = process.getuid?.() === 0;

test("what is removed after others is a folder of this user, not where a link of that name leads", async () => {
  using dir = scratch();
  const left = (id: string) => dir.at("tmp", `pith-shell-1.${nobody}-${id}`);
  for (const path of [dir.at("victim/empty"), join(left("z-ours"), "empty")]) mkdirSync(path, { recursive: true });
  symlinkSync(dir.at("victim"), left("a-link"));
  symlinkSync(dir.at("victim"), left("b-link"));
  if (isRoot) {
    mkdirSync(join(left("c-theirs"), "empty"), { recursive: true });
    for (const path of [left("b-link"), left("c-theirs")]) lchownSync(path, 65_534, 65_534);
  }
  const folder = dir.at("tmp", `pith-shell-1.${process.pid}-own`);
  startWatchdog({ groups: [], folders: [folder], variable: "pith-none", env: process.env })?.[Symbol.dispose]();
  // The last in the list.
  await until(() => !existsSync(left("z-ours")), "the end of what was left");
  expect(readdirSync(dir.at("victim"))).toEqual(["empty"]);
  const kept = ["a-link", "b-link", ...(isRoot ? ["c-theirs"] : [])];
  expect(readdirSync(dir.at("tmp")).sort()).toEqual(kept.map((id) => basename(left(id))));
});

test("what does not fit into memory is not written where a link leads that was there before", async () => {
  using dir = scratch();
  const ground = await new ShellRuntime({ env: process.env, configured: undefined, limits: {} }).open();
  if (!ground.ok) throw new Error(ground.message);
  const place = join(tmpdir(), basename(ground.value.folder));
  try {
    if (place === ground.value.folder) return;
    symlinkSync(dir.path, place);
    expect(() => ground.value.spillFolder()).toThrow("EEXIST");
    rmSync(place);
    expect(ground.value.spillFolder()).toBe(place);
    expect(ground.value.spillFolder()).toBe(place);
  } finally {
    ground.value[Symbol.dispose]();
  }
});
