// Data that should be on disk is on disk. A missing sync would show only in a power cut, so the system calls are
// checked.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryStorage } from "../../packages/agent/src/session/store/storage.ts";
import { calls, plain, says, scripted } from "../../packages/agent/src/test/scripted.ts";
import { create, note } from "../../packages/agent/src/test/session-file.ts";
import { until } from "../../packages/kit/src/test/index.ts";
import { need } from "../need.ts";
import { envOf, main } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

describe.skipIf(need("strace") !== undefined)("of a session", () => {
  test("every entry is synced before the next is written, where that is asked for", async () => {
    using dir = scratch();
    const seen = (await traced(dir, "entry")).filter(({ path }) => path.endsWith(".jsonl"));
    expect(seen.filter(({ does }) => does === "write").length).toBeGreaterThan(2);
    seen.forEach(({ does }, at) => {
      if (does === "write") expect(seen[at + 1]).toMatchObject({ does: "fdatasync" });
    });
  });

  test("what was said last is synced at the end of the turn", async () => {
    using dir = scratch();
    const seen = (await traced(dir, "turn")).filter(({ path }) => path.endsWith(".jsonl"));
    expect(seen.findLastIndex(({ does }) => does === "fdatasync")).toBeGreaterThan(
      seen.findLastIndex(({ does }) => does === "write"),
    );
  });

  test("its name in the folder is synced with what was said first", async () => {
    using dir = scratch();
    const seen = await traced(dir, "turn");
    const folder = seen.findIndex(({ does, path }) => does === "fsync" && /\/sessions\/--[^/]*--$/.test(path));
    const first = seen.findIndex(({ does, path }) => does === "fdatasync" && path.endsWith(".jsonl"));
    expect(folder).toBeGreaterThan(-1);
    expect(seen.some(({ does, path }) => does === "fsync" && path.endsWith("/sessions"))).toBe(true);
    expect(folder).toBeLessThan(first);
  });
});

interface Syscall {
  does: string;
  path: string;
}

/** Writes and syncs of one answered prompt, in their order. */
async function traced(dir: Scratch, sync: "entry" | "turn"): Promise<Syscall[]> {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.pith/config.yml": `session:\n  sync: ${sync}\n` });
  const watch = ["strace", "-f", "-y", "-qq", "-e", "trace=write,pwrite64,writev,pwritev,fsync,fdatasync"];
  const ended = await run(
    [...watch, "-o", dir.at("trace"), process.execPath, main, "-p", "hi", "--model", "faux/echo"],
    { cwd: dir.at("work"), env: envOf(dir) },
  );
  expect(ended).toMatchObject({ code: 0, out: "hi\n" });
  const lines = readFileSync(dir.at("trace"), "latin1").split("\n");
  return lines.flatMap((line) => {
    const [, does = "", path = ""] = /^\d+ +(\w+)\(\d+<([^>]*)>/.exec(line) ?? [];
    return path === "" ? [] : [{ does: does.replace(/^p?writev?(64)?$/, "write"), path }];
  });
}

test("no tool runs before what was asked for is on the disk", async () => {
  const order: string[] = [];
  const { promise: onDisk, resolve: reach } = Promise.withResolvers<void>();
  const storage = {
    ...memoryStorage(),
    sync: async () => {
      await onDisk;
      order.push("synced");
    },
  };
  const tool = plain({
    name: "act",
    async run() {
      order.push("acted");
      return { kind: "prose", data: {}, text: "done" };
    },
  });
  const live = scripted([calls({ name: "act", input: {} }), says("done")], { storage, list: [tool] });
  const sent = live.conversation.send({ text: "go" });
  // The answer is there, and with it all that the call needs but the disk.
  await until(() => live.entries().some(({ type }, at) => type === "message" && at > 0), "the model's answer");
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  expect(order).toEqual([]);
  reach();
  await sent;
  expect(order.slice(0, 2)).toEqual(["synced", "acted"]);
});

test("no tool runs before what was said meanwhile is on the disk", async () => {
  const order: string[] = [];
  const waits: (() => void)[] = [];
  let live: ReturnType<typeof scripted> | undefined;
  const storage = {
    ...memoryStorage(),
    sync: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      // Only the sync of what was queued has to be let go on.
      if (order.length === 1) waits.push(resolve);
      else resolve();
      await promise;
    },
  };
  const tool = plain({
    name: "act",
    async run() {
      order.push("acted");
      if (order.length === 1) void live?.conversation.send({ text: "and this" }, "steer");
      return { kind: "prose", data: {}, text: "done" };
    },
  });
  const acts = calls({ name: "act", input: {} });
  live = scripted([acts, acts, says("done")], { storage, list: [tool] });
  const sent = live.conversation.send({ text: "go" });
  await until(() => (live?.requests.length ?? 0) > 1, "the request with what was said meanwhile");
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  expect(order).toEqual(["acted"]);
  expect(waits).toHaveLength(1);
  waits[0]?.();
  await sent;
  expect(order).toEqual(["acted", "acted"]);
});

const disk = join(import.meta.dir, "../../packages/agent/src/session/store/disk.ts");

test("half a line that no longer fits on the disk is taken off again", async () => {
  using dir = scratch();
  dir.write({
    "fill.ts": `
      import { fileStorage } from ${JSON.stringify(disk)};
      const storage = fileStorage(process.argv[2]);
      let whole = 0;
      try {
        for (;;) { storage.append(Buffer.from("x".repeat(999) + "\\n")); whole++; }
      } catch (error) { process.stdout.write(whole + " " + error.code); }`,
  });
  // A limit of 4 blocks of 1024 bytes; with its signal ignored, a write that passes it is cut, and the next one fails.
  const command = `trap '' XFSZ; ulimit -f 4; exec "$0" "$1" "$2"`;
  const ended = await run(["bash", "-c", command, process.execPath, dir.at("fill.ts"), dir.at("s", "s.jsonl")], {
    cwd: dir.path,
    env: envOf(dir),
  });
  expect(ended.out).toBe("4 EFBIG");
  expect(readFileSync(dir.at("s", "s.jsonl"), "utf8")).toBe(`${"x".repeat(999)}\n`.repeat(4));
  expect(readdirSync(dir.at("s"))).toContain("s.jsonl");
});

test("what waits to be written is never put behind the lines of another program", () => {
  const inner = memoryStorage();
  let full = false;
  const append = (bytes: Uint8Array) => {
    if (full) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    return inner.append(bytes);
  };
  const faults: string[] = [];
  const journal = create("", { storage: { ...inner, append }, onFault: (text) => faults.push(text) });
  journal.append(note("first"));
  full = true;
  journal.append(note("waits"));
  full = false;
  inner.append(Buffer.from('{"of":"another program"}\n'));
  journal.append(note("waits, too"));
  expect(inner.read()?.toString()).toEndWith('{"of":"another program"}\n');
  expect(faults.join()).toContain("changed by another program");
  expect(journal.isBehind).toBe(true);
  expect(journal.tree.pathTo()).toHaveLength(3);
});
