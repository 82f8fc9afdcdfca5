// Volumes that take several spellings for one name: whatever a model calls a file, it is the one file that it is.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accessSync, constants, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { succeeds } from "../../packages/kit/src/index.ts";
import { until } from "../../packages/kit/src/test/index.ts";
import { need } from "../need.ts";
import { envOf, program, scripted } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

function whyNoFuse(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root of Linux mounts file systems";
  return succeeds(() => accessSync("/dev/fuse", constants.R_OK | constants.W_OK)) ? undefined : "/dev/fuse is missing";
}

interface Volume {
  needs: readonly string[];
  /** Decomposed letters are the composed ones too. */
  normalises: boolean;
  mount(dir: Scratch, at: string): Promise<() => Promise<unknown>>;
}

const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const quiet = (...command: string[]) => run(command, { cwd: "/", env });

async function mounted(dir: Scratch, at: string, make: readonly string[], mount: readonly string[]) {
  const image = dir.at("image");
  writeFileSync(image, "");
  truncateSync(image, 32 * 1024 * 1024);
  expect((await quiet(...make, image)).code).toBe(0);
  const loop = (await quiet("losetup", "-f", "--show", image)).out.trim();
  // It goes on behind its own end, and would hold what is read of it open.
  const child = Bun.spawn([...mount, loop, at], { env, stdio: ["ignore", "ignore", "ignore"] });
  expect(await child.exited).toBe(0);
  return async () => {
    await quiet("umount", at);
    await quiet("losetup", "-d", loop);
  };
}

const volumes: Readonly<Record<string, Volume>> = {
  NTFS: {
    needs: ["lowntfs-3g", "mkntfs", "losetup"],
    normalises: false,
    mount: (dir, at) => mounted(dir, at, ["mkntfs", "-F", "-Q", "-q"], ["lowntfs-3g", "-o", "ignore_case,permissions"]),
  },
  exFAT: {
    needs: ["mount.exfat-fuse", "mkfs.exfat", "losetup"],
    normalises: false,
    mount: (dir, at) => mounted(dir, at, ["mkfs.exfat"], ["mount.exfat-fuse"]),
  },
  "a layer as on a Mac": {
    needs: [],
    normalises: true,
    async mount(_, at) {
      const child = Bun.spawn([process.execPath, join(import.meta.dir, "fold-layer.ts"), at], {
        env: { BUN_BE_BUN: "1" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      await child.stdout.getReader().read();
      return async () => {
        await quiet("umount", at);
        await child.exited;
      };
    },
  },
};

const whyNot = whyNoFuse();
if (whyNot !== undefined) process.stderr.write(`skip: ${whyNot}\n`);

describe.each(Object.entries(volumes))("on %s", (name, { needs, normalises, mount }) => {
  const missing = whyNot ?? needs.map((one) => need(one)).find((why) => why !== undefined);
  const dir = scratch();
  const project = dir.at("volume", "Project");
  let leave: () => Promise<unknown> = async () => undefined;
  const pith = (cwd: string, ...argv: string[]) => run([...program, ...argv], { cwd, env: envOf(dir) });

  beforeAll(async () => {
    for (const name of ["volume", "tmp", "home/.pith"]) mkdirSync(dir.at(name), { recursive: true });
    if (missing !== undefined) return;
    leave = await mount(dir, dir.at("volume"));
    dir.write({
      "volume/Project/.git/HEAD": "ref: refs/heads/main\n",
      "volume/Project/Notes.txt": "one\ntwo\n",
      "volume/Project/caf\u00e9.txt": "one\n",
      "volume/Project/keys.txt": "hidden words\n",
      "volume/Project/Sub/deep.txt": "words\n",
      "home/.pith/config.yml":
        "policy:\n  rules:\n    - path: KEYS.txt\n      verdict: deny\n    - path: New.env\n      verdict: deny\n",
    });
  });
  afterAll(async () => {
    await leave();
    dir[Symbol.dispose]();
  });

  /** Runs calls in one turn, and answers with their results in order. */
  async function results(cwd: string, calls: readonly object[]): Promise<{ isError: boolean; text: string }[]> {
    const model = scripted(dir, { calls }, { text: "done" });
    const { out } = await pith(cwd, "-p", "go", "--approval", "yolo", "--sandbox", "off", "--mode", "json", ...model);
    const rows = out.split("\n").filter((line) => line.includes('"toolResult"'));
    const seen = new Map<string, { isError: boolean; text: string }>();
    for (const row of rows) {
      const event = JSON.parse(row);
      const message = event.message ?? event.entry?.message;
      if (event.type === "message_end" && message?.role === "toolResult")
        seen.set(message.toolCallId, { isError: message.isError === true, text: message.content[0]?.text ?? "" });
    }
    return [...seen.values()];
  }

  test.skipIf(missing !== undefined)(
    "a deny rule is not passed by another spelling, whoever reads or writes",
    async () => {
      const spelled = ["keys.txt", "KEYS.txt", "Keys.TXT"];
      const answers = await results(project, [
        ...spelled.map((path) => ({ tool: "read", input: { path } })),
        { tool: "write", input: { path: "kEys.txt", content: "x" } },
        { tool: "write", input: { path: "nEW.ENV", content: "x" } },
        { tool: "bash", input: { command: "cat keyS.txt" } },
        { tool: "search", input: { pattern: "hidden", paths: ["."] } },
        { tool: "write", input: { path: ".GIT/hooks/pre-commit", content: "x" } },
      ]);
      expect(answers.length).toBe(8);
      expect(answers.map(({ isError }) => isError)).toEqual([true, true, true, true, true, true, false, true]);
      expect(JSON.stringify(answers)).not.toContain("hidden words");
      expect(readFileSync(join(project, "keys.txt"), "utf8")).toBe("hidden words\n");
    },
    120_000,
  );

  test.skipIf(missing !== undefined)(
    "one file has one name and one tag, is edited by any spelling, and undo takes it back from any folder",
    async () => {
      const tags = await Promise.all(
        ["Notes.txt", "notes.TXT", "NOTES.txt"].map((path) => pith(project, "tool", "read", JSON.stringify({ path }))),
      );
      const [first] = tags.map(({ out }) => out);
      expect(first).toMatch(/^\[Notes\.txt#[0-9A-F]{4}\]|^\[notes\.txt#/);
      expect(new Set(tags.map(({ out }) => out)).size).toBe(1);
      const answers = await results(project, [
        { tool: "read", input: { path: "Notes.txt" } },
        { tool: "write", input: { path: "NOTES.TXT", content: "three\n" } },
        { tool: "search", input: { pattern: "words", paths: ["sUB"] } },
      ]);
      expect(answers.map(({ isError, text }) => [isError, text.split("\n")[0]])).toEqual([
        [false, expect.any(String)],
        [false, expect.any(String)],
        [false, expect.stringMatching(/^\[sub\/deep\.txt#/i)],
      ]);
      expect(readFileSync(join(project, "notes.txt"), "utf8")).toBe("three\n");
      const other = dir.at("volume", "PROJECT");
      expect((await pith(other, "undo")).code).toBe(0);
      // The kernel believes for a second what it knows of each spelling.
      const text = () => readFileSync(join(project, "notes.txt"), "utf8");
      await until(() => text() === "one\ntwo\n", "the text before the write");
      // Sessions of both spellings are in one list.
      const [here, there] = [await pith(project, "sessions"), await pith(other, "sessions")];
      expect(there.out).toBe(here.out);
      expect(here.out.trim().split("\n").length).toBeGreaterThan(1);
    },
    120_000,
  );

  test.skipIf(missing !== undefined || !normalises)(
    "a composed letter and its pieces are one name",
    async () => {
      const both = ["caf\u00e9.txt", "cafe\u0301.txt", "CAFE\u0301.TXT"];
      const read = await Promise.all(both.map((path) => pith(project, "tool", "read", JSON.stringify({ path }))));
      expect(new Set(read.map(({ out }) => out)).size).toBe(1);
      expect(read[0]?.out).toContain("caf\u00e9.txt#");
    },
    60_000,
  );

  test.skipIf(missing !== undefined)(
    `trust of a project on ${name} is trust of the project, however its folder is spelled`,
    async () => {
      dir.write({ "volume/Project/.pith/config.yml": "model: faux/echo\n" });
      const other = dir.at("volume", "pROJECT");
      const waits = await pith(other, "trust", "--show");
      expect((await pith(other, "trust")).code).toBe(0);
      const [here, there] = await Promise.all([project, other].map((cwd) => pith(cwd, "trust", "--show")));
      expect(here?.out).toBe(there?.out ?? "");
      expect(here?.out).not.toBe(waits.out);
    },
    60_000,
  );
});
