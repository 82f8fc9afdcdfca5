import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileBlobs, fileStorage, Journal, memoryBlobs, relativesBlobs } from "../../packages/agent/src/index.ts";
import { writeLines } from "../../packages/cli/src/export/data.ts";
import { systemClock } from "../../packages/kit/src/index.ts";
import { needPeer } from "../need.ts";
import { scratch } from "../scratch.ts";

// The real packages are not part of the project: .ci/peers tells which and how to have them here.
const peers = [
  { name: "pi", folder: needPeer("PITH_PEER_PI"), manager: "dist/core/session-manager.js" },
  { name: "omp", folder: needPeer("PITH_PEER_OMP"), manager: "src/session/session-manager.ts" },
];
const { path: root } = scratch(afterAll);

async function play(
  ...args: string[]
): Promise<{ file: string; leaf: string; entries: number; messages: { role: string; content?: unknown }[] }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "session-peer.ts"), ...args], {
    env: { ...process.env, HOME: root },
    stderr: "inherit",
  });
  return JSON.parse(await new Response(child.stdout).text());
}

describe.each(peers)("the real $name", ({ folder, manager }) => {
  const source = join(folder ?? "", manager);
  const run = folder === undefined ? test.skip : test;
  run(
    "reads what we wrote, branches, compactions and own entries included",
    async () => {
      const file = join(root, "ours.jsonl");
      rmSync(file, { force: true });
      const journal = Journal.create(
        { storage: () => fileStorage(file), clock: systemClock, onFault: () => {} },
        { cwd: "/project" },
      );
      const say = (text: string) =>
        journal.append({ type: "message", message: { role: "user", content: [{ type: "text", text }], timestamp: 1 } });
      say("gone");
      const kept = say("kept");
      journal.append({ type: "custom", customType: "pith.inbox", data: { text: "x" } });
      const here = journal.append({
        type: "compaction",
        summary: "the start",
        firstKeptEntryId: kept.id,
        tokensBefore: 5,
      });
      say("a dead end");
      journal.tree.moveTo(here.id);
      journal.append({ type: "branch_summary", fromId: kept.id, summary: "nothing there" });
      const last = say("the end äöü 🙂");
      await journal.close();
      const read = await play(source, "read", file);
      expect(read.leaf).toBe(last.id);
      expect(read.entries).toBe(7);
      const said = JSON.stringify(read.messages);
      for (const text of ["the start", "kept", "nothing there", "the end äöü 🙂"]) expect(said).toContain(text);
      for (const text of ["gone", "dead end"]) expect(said).not.toContain(text);
    },
    120_000,
  );

  run(
    "sees the images of a session that was exported with everything in it",
    async () => {
      const file = join(root, "blobs.jsonl");
      rmSync(file, { force: true });
      const data = Buffer.alloc(3000, 5).toString("base64");
      const journal = Journal.create(
        { storage: () => fileStorage(file), blobs: memoryBlobs(), clock: systemClock, onFault: () => {} },
        { cwd: "/project" },
      );
      journal.append({
        type: "message",
        message: { role: "user", content: [{ type: "image", data, mimeType: "image/png" }], timestamp: 1 },
      });
      await journal.sync();
      expect(readFileSync(file, "utf8")).toContain("blob:sha256:");
      const copy = join(root, "inline.jsonl");
      writeFileSync(copy, [...writeLines(journal, true)].join(""));
      await journal.close();
      expect(JSON.stringify((await play(source, "read", copy)).messages)).toContain(data);
    },
    120_000,
  );

  run(
    "writes what we read, and reads it again after we wrote on",
    async () => {
      const { file } = await play(source, "make", root);
      const before = await play(source, "read", file);
      // Where the one keeps an image in its own folder of blobs, we see it too.
      const blobs = fileBlobs(join(root, "blobs"), () => 0, relativesBlobs(root, {}));
      const opened = Journal.open({ storage: fileStorage(file), blobs, clock: systemClock, onFault: () => {} });
      if (!opened.ok) throw new Error(opened.message);
      const shown = JSON.stringify(opened.value.journal.tree.pathTo());
      expect(shown).toContain(Buffer.alloc(3000, 7).toString("base64"));
      expect(opened.value.journal.tree.leaf).toBe(before.leaf);
      const added = opened.value.journal.append({
        type: "message",
        message: { role: "user", content: "from pith", timestamp: 9 },
      });
      await opened.value.journal.close();
      const after = await play(source, "read", file);
      expect(after.leaf).toBe(added.id);
      expect(after.messages.slice(0, -1)).toEqual(before.messages);
    },
    120_000,
  );
});
