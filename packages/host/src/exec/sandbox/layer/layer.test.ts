import { expect, test } from "bun:test";
import {
  accessSync,
  chownSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Scratch, scratch } from "@pith/kit/test";
import { need } from "../../../../../../test/need.ts";
import { sandboxed } from "../../../test/sandboxed.ts";
import { persistentTemp } from "../../shell/runtime.ts";
import { toolsOf } from "../tools.ts";
import { LayerGround } from "./ground.ts";

const lacking = need("bwrap") !== undefined || need("git") !== undefined || !(await hasLayers());

/** Tells if layers can be made on this machine at all. */
async function hasLayers(): Promise<boolean> {
  const tools = toolsOf(process.env);
  using dir = scratch();
  using ground = tools && (await LayerGround.open(tools, mkdtempSync(join(persistentTemp(), "layers-")), [dir.path]));
  return ground !== undefined;
}

/** A project, and commands in a layer over it. */
function place(dir: Scratch, env: Record<string, string | undefined> = {}, name = "work") {
  const here = sandboxed(dir.path, { env: { ...process.env, HOME: dir.at("home"), ...env }, name });
  const run = (command: string, writes: "layers" | "project" = "layers") =>
    here.ask(command, { side: writes === "layers" ? "reading" : "inside", writes });
  return { project: here.at(""), run, [Symbol.dispose]: here[Symbol.dispose] };
}

test.skipIf(lacking)("what a command changes in a layer it sees alone, and it is named as gone", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\n", "work/src/deep/c": "c\n", "work/d/x": "x\n", "home/.cache/tool/k": "k\n" });
  using at = place(dir);
  await at.run("git init -q; git add -A; git -c user.name=a -c user.email=a@b commit -qm first", "project");
  const changed =
    "echo two >> a.txt; rm src/deep/c; mkdir -p dist/js; touch dist/js/1 dist/js/2 dist/x; mv d e; cat a.txt";
  expect(await at.run(changed)).toEqual({
    text: "one\ntwo\n",
    gone: ["1 work/a.txt", "1 work/d", "1 work/e/x", "1 work/src/deep/c", "3 work/dist/"],
  });
  const commit = await at.run("git -c user.name=a -c user.email=a@b commit --allow-empty -qm more; git log --oneline");
  expect(commit.text).toContain("more");
  expect(commit.gone?.[0]).toEndWith(" work/.git/");
  // A cache below the home has a layer too.
  expect(await at.run("git log --oneline | wc -l; ls; echo new > ~/.cache/tool/k")).toEqual({
    text: "1\na.txt\nd\nsrc\n",
    gone: ["1 home/.cache/tool/k"],
  });
  expect(readFileSync(dir.at("home/.cache/tool/k"), "utf8")).toBe("k\n");
});

test.skipIf(lacking)("a layer shows what others have changed since the last command", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\n", "work/sub/b": "b\n" });
  using at = place(dir);
  await at.run("cat a.txt; ls sub; cd sub");
  for (let turn = 0; turn < 5; turn++) {
    // Long enough for the shells of the next commands to be there.
    await Bun.sleep(40);
    dir.write({ "work/new.tmp": `${turn}\n` });
    renameSync(dir.at("work/new.tmp"), dir.at("work/a.txt"));
    const moved = `mv ../sub ../gone${turn}; mkdir ../sub; echo ${turn} > ../sub/b`;
    await at.run(`echo ${turn} > ../inside; ${moved}`, "project");
    expect((await at.run("cat ../a.txt ../inside ../sub/b")).text).toBe(`${turn}\n`.repeat(3));
  }
});

test.skipIf(lacking)("a layer that was filled leaves room for the next command", async () => {
  using dir = scratch();
  using at = place(dir);
  expect((await at.run("head -c 9G /dev/zero > big")).text).toContain("No space left");
  expect(await at.run("echo y > y && cat y")).toEqual({ text: "y\n", gone: ["1 work/y"] });
  expect(readdirSync(at.project)).toEqual([]);
});

test.skipIf(lacking || process.getuid?.() !== 0)("files of other users stay as unwritable as they are", async () => {
  using dir = scratch();
  dir.write({ "work/theirs": "theirs\n", "work/folder/x": "x\n" });
  for (const name of ["theirs", "folder", "folder/x"]) chownSync(dir.at("work", name), 65534, 65534);
  using at = place(dir);
  const tried = "echo a >> theirs; chown root theirs; echo b > folder/x; touch folder/y; rm -f folder/x; cat theirs";
  const { text, gone } = await at.run(tried);
  expect(text.match(/Permission denied|not permitted/g)).toHaveLength(5);
  expect([text.endsWith("theirs\n"), gone]).toEqual([true, []]);
});

const mounts = process.getuid?.() === 0 && Bun.spawnSync(["unshare", "-m", "true"]).exitCode === 0;

test.skipIf(lacking || !mounts)("what is mounted below the project is seen in a layer, and only read", async () => {
  using dir = scratch();
  dir.write({ "work/a b/c": "covered\n", "work/x": "x\n" });
  const there = dir.at("work/a b");
  expect(Bun.spawnSync(["mount", "-t", "tmpfs", "test", there]).exitCode).toBe(0);
  try {
    writeFileSync(join(there, "d"), "mounted\n");
    using at = place(dir);
    const { text, gone } = await at.run("cat 'a b/d'; ls 'a b'; echo y > 'a b/e'; echo z > z");
    expect(text).toStartWith("mounted\nd\n");
    expect(text).toContain("a b/e: Read-only file system");
    expect(gone).toEqual(["1 work/z"]);
  } finally {
    Bun.spawnSync(["umount", there]);
  }
});

function canFuse(): boolean {
  if (need("fuse-overlayfs") !== undefined) return false;
  try {
    accessSync("/dev/fuse", constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

test.skipIf(lacking || !canFuse())("where the kernel makes no layers, fuse-overlayfs does", async () => {
  using dir = scratch();
  const refusing = '#!/bin/sh\ncase "$*" in *"-t overlay"*) exit 1;; esac\nexec /bin/mount "$@"\n';
  dir.write({ "bin/mount": refusing, "work/a.txt": "one\n", "work/d/x": "x\n" });
  Bun.spawnSync(["chmod", "+x", dir.at("bin/mount")]);
  using at = place(dir, { PATH: `${dir.at("bin")}:${process.env.PATH}` });
  const changed = "echo two >> a.txt; rm -r d; mkdir d; touch d/y; cat a.txt; ls d";
  expect(await at.run(changed)).toEqual({ text: "one\ntwo\ny\n", gone: ["1 work/a.txt", "1 work/d/y"] });
  await at.run("echo three > a.txt", "project");
  expect(await at.run("cat a.txt d/x; touch z")).toEqual({ text: "three\nx\n", gone: ["1 work/z"] });
});

test.skipIf(lacking)("a project with odd signs in its name has layers like any other", async () => {
  using dir = scratch();
  using at = place(dir, {}, "work, with:=odd\\signs '");
  const { text, gone } = await at.run("echo x > y; cat y");
  expect([text, gone]).toEqual(["x\n", ["1 work, with:=odd\\signs '/y"]]);
});
