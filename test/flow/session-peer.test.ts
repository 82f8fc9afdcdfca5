import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  allSessionFiles,
  Context,
  fileBlobs,
  fileStorage,
  Journal,
  memoryBlobs,
  ompBlobFolders,
} from "../../packages/agent/src/index.ts";
import { writeLines } from "../../packages/cli/src/export/data.ts";
import { systemClock } from "../../packages/kit/src/index.ts";
import { needPeer } from "../need.ts";
import { pith } from "../pith.ts";
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

describe.each(peers)("the real $name", ({ name, folder, manager }) => {
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
    "opens a session that was pruned and summed up, and shows the end of it",
    async () => {
      const file = join(root, "compacted.jsonl");
      rmSync(file, { force: true });
      const journal = Journal.create(
        { storage: () => fileStorage(file), clock: systemClock, onFault: () => {} },
        { cwd: "/project" },
      );
      const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
      const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost };
      const call = (id: string) => {
        const about = { api: "openai-completions", provider: "mock", model: "mock", usage, timestamp: 1 };
        const content = [{ type: "toolCall" as const, id, name: "bash", arguments: { command: "ls" } }];
        journal.append({ type: "message", message: { role: "assistant", content, stopReason: "toolUse", ...about } });
        const result = { role: "toolResult" as const, toolCallId: id, toolName: "bash", isError: false, timestamp: 1 };
        return journal.append({
          type: "message",
          message: { ...result, content: [{ type: "text", text: `output of ${id}` }] },
        });
      };
      journal.append({ type: "message", message: { role: "user", content: "the task", timestamp: 1 } });
      call("gone");
      const kept = journal.append({ type: "message", message: { role: "user", content: "kept words", timestamp: 1 } });
      const pruned = call("pruned");
      call("shown");
      journal.appendAll([
        { type: "context_edit", targetId: pruned.id, replacement: { content: "[Output truncated - 9 tokens]" } },
        { type: "custom", customType: "pith.jobs", data: { count: 0, open: [] }, repeats: "x" },
        { type: "compaction", summary: "## Kept word for word", firstKeptEntryId: kept.id, tokensBefore: 5 },
      ]);
      const ours = JSON.stringify(new Context(journal).messages);
      await journal.close();
      const said = JSON.stringify((await play(source, "read", file)).messages);
      for (const text of ["Kept word for word", "kept words", "output of shown"]) {
        expect(ours).toContain(text);
        expect(said).toContain(text);
      }
      expect(said).not.toContain("output of gone");
      expect(ours).not.toContain("output of pruned");
      // Only pi knows the edit; the other shows what it was.
      expect(said).toContain(name === "pi" ? "[Output truncated - 9 tokens]" : "output of pruned");
    },
    120_000,
  );

  run(
    "shows what we show of a session that the agent itself has pruned, rewound and summed up many times",
    async () => {
      using dir = scratch();
      const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });
      const turn = [
        call("bash", { command: "cat log.txt" }),
        call("read", { path: "log.txt" }),
        call("checkpoint", { goal: "look" }),
        call("bash", { command: "cat log.txt" }),
        call("rewind", { report: "nothing there" }),
        { text: "Done." },
      ];
      const script = {
        turns: Array.from({ length: 60 }, () => turn).flat(),
        after: "repeat-last",
        model: { contextWindow: 16_000 },
        side: { summary: "## Current state\nCounting." },
      };
      dir.write({
        "script.json": JSON.stringify(script),
        "work/log.txt": Array.from({ length: 150 }, (_, line) => `line ${line} of the log`).join("\n"),
        "home/.pith/config.yml": "loop:\n  mode: off\ncheckpoint:\n  enabled: true\n",
      });
      const more = Array.from({ length: 25 }, (_, at) => ["--next", `and on ${at}`]).flat();
      const argv = ["--model", dir.at("script.json"), "--yolo", "-p", "count, and never touch vendor/", ...more];
      expect(await pith(dir, argv)).toMatchObject({ code: 0 });
      const [file = ""] = allSessionFiles(dir.at("home/.pith/sessions"));
      const opened = Journal.open({ storage: fileStorage(file), clock: systemClock });
      if (!opened.ok) throw new Error(opened.message);
      const { journal } = opened.value;
      const types = journal.tree.pathTo().map(({ type }) => type);
      for (const type of ["compaction", "context_edit", "branch_summary"]) expect(types).toContain(type as never);
      const texts = (messages: readonly { role: string; content?: unknown }[]) =>
        messages.filter(({ role }) => role === "toolResult").map(({ content }) => JSON.stringify(content));
      const ours = texts(new Context(journal).messages);
      await journal.close();
      const { messages } = await play(source, "read", file);
      const theirs = texts(messages);
      expect(theirs.length).toBe(ours.length);
      // Only pi knows the edits.
      if (name === "pi") expect(theirs).toEqual(ours);
      expect(JSON.stringify(messages[0])).toContain("never touch vendor/");
    },
    120_000,
  );

  run(
    "opens a session whose past is pictures, and one that goes on from another",
    async () => {
      const recording = (file: string) => ({
        storage: () => fileStorage(file),
        blobs: memoryBlobs(),
        clock: systemClock,
        onFault: () => {},
      });
      const user = (content: string) => ({
        type: "message" as const,
        message: { role: "user" as const, content, timestamp: 1 },
      });
      const old = join(root, "pictures.jsonl");
      rmSync(old, { force: true });
      const before = Journal.create(recording(old), { cwd: "/project" });
      before.append(user("gone"));
      const kept = before.append(user("kept words"));
      const frame = { type: "image", data: Buffer.alloc(3000, 9).toString("base64"), mimeType: "image/png" };
      const text = "user gone";
      const grid = { cols: 178, rows: 119, chars: text.length };
      const archive = { text, totalChars: text.length, truncatedChars: 0 };
      const snapcompact = { frames: [{ ...frame, ...grid }], left: 0, ...archive };
      const summary = "How the pictures are read.";
      const said = { type: "compaction" as const, summary, firstKeptEntryId: kept.id, tokensBefore: 5 };
      before.append({ ...said, preserveData: { snapcompact, strange: [null] } });
      before.append(user("after the pictures"));
      await before.close();
      const shown = JSON.stringify((await play(source, "read", old)).messages);
      for (const words of [summary, "kept words", "after the pictures"]) expect(shown).toContain(words);
      expect(shown).not.toContain("gone");
      // omp reads our pictures as its own, and reports the one whose bytes are not in its folder.
      if (name === "omp") expect(shown).toContain("1 archived image frame unavailable");

      const next = join(root, "handed-off.jsonl");
      rmSync(next, { force: true });
      const after = Journal.create(recording(next), { cwd: "/project", parentSession: old });
      after.appendAll([
        { type: "custom", customType: "pith.prompt", data: { pieces: [] } },
        { type: "custom", customType: "pith.before", data: { sessions: ["x"] } },
        { type: "custom_message", customType: "handoff", content: "## Goal\nGo on.", display: true },
      ]);
      const last = after.append(user("and on"));
      await after.close();
      const read = await play(source, "read", next);
      expect(read.leaf).toBe(last.id);
      for (const text of ["## Goal", "and on"]) expect(JSON.stringify(read.messages)).toContain(text);
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
      // An image in omp's blob folder is found by us too.
      const blobs = fileBlobs(join(root, "blobs"), () => 0, ompBlobFolders(root, {}));
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
