// Temporary files beside a file have a name of their own kind. Similar names are the user's: a repository must not be
// able to switch undo off with one, and none of them is ever removed.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, utimesSync } from "node:fs";
import { asideName } from "../../packages/host/src/fs/aside.ts";
import { underPermissions } from "../permission.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

let dir: Scratch;
beforeEach(() => {
  dir = scratch();
});
afterEach(() => dir[Symbol.dispose]());

const old = (...path: string[]) => utimesSync(dir.at("work", ...path), 1, 1);
/** A run whose command changes files in a way that only an imprint of the tree can know. */
const changed = (command: string) =>
  pith(dir, [
    ...["-p", "hi", "--approval", "yolo"],
    ...scripted(dir, { calls: [{ tool: "bash", input: { command } }] }, { text: "done" }),
  ]);

test("a folder with a name like that does not switch undo off, and what is in it comes back", async () => {
  const names = [".pith-a.99999999.tmp", ".pith-0123456789abcdef.99999999.tmp", asideName(99999999)];
  for (const name of names) dir.write({ [`work/${name}/x`]: "kept", "work/a": "before" });
  for (const name of names) old(name);
  const ran = await changed("echo after > a; rm -r .pith-*.tmp");
  expect(ran).toMatchObject({ code: 0, out: "done\n" });
  expect(ran.err).not.toMatch(/undo/i);
  expect(await pith(dir, ["undo"])).toMatchObject({ code: 0 });
  expect(readFileSync(dir.at("work", "a"), "utf8")).toBe("before");
  for (const name of names) expect(readFileSync(dir.at("work", name, "x"), "utf8")).toBe("kept");
});

test("a file of the user's with a name like that stays, and comes back", async () => {
  dir.write({ "work/.pith-a.99999999.tmp": "mine", "work/.pith-0123456789abcdef.99999999.tmp": "mine" });
  for (const name of [".pith-a.99999999.tmp", ".pith-0123456789abcdef.99999999.tmp"]) old(name);
  expect(await changed("true")).toMatchObject({ code: 0 });
  expect(existsSync(dir.at("work", ".pith-a.99999999.tmp"))).toBe(true);
  expect(existsSync(dir.at("work", ".pith-0123456789abcdef.99999999.tmp"))).toBe(true);
  expect(await changed("rm .pith-*.tmp")).toMatchObject({ code: 0 });
  expect(await pith(dir, ["undo"])).toMatchObject({ code: 0 });
  expect(readFileSync(dir.at("work", ".pith-a.99999999.tmp"), "utf8")).toBe("mine");
});

underPermissions(import.meta.path)("what may not be cleared away does not switch undo off", async () => {
  const name = asideName(99999999);
  dir.write({ [`work/locked/${name}`]: "half", "work/a": "before" });
  old("locked", name);
  chmodSync(dir.at("work", "locked"), 0o555);
  const ran = await changed("echo after > a");
  chmodSync(dir.at("work", "locked"), 0o755);
  expect(ran.err).not.toMatch(/undo/i);
  expect(await pith(dir, ["undo"])).toMatchObject({ code: 0 });
  expect(readFileSync(dir.at("work", "a"), "utf8")).toBe("before");
});
