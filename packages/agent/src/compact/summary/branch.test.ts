import { expect, test } from "bun:test";
import { fail, ok } from "@pith/kit";
import { noUsage } from "@pith/llm";
import type { Entry, EntryDraft } from "../../session/entry.ts";
import { Journal } from "../../session/journal.ts";
import { memoryStorage } from "../../session/store/storage.ts";
import { navigate } from "../../session/walk/navigate.ts";
import { touchedFiles } from "../../session/walk/touched-files.ts";
import type { Summarizer } from "../strategy/strategy.ts";
import { branchSummarizer, selectEntries } from "./branch.ts";

const begin = () =>
  Journal.create({ storage: () => memoryStorage(), clock: { now: () => 0 }, onFault: () => {} }, { cwd: "/" });
const user = (content: string): EntryDraft => ({ type: "message", message: { role: "user", content, timestamp: 0 } });
const calls = (name: string, path: string): EntryDraft => ({
  type: "message",
  message: {
    role: "assistant",
    content: [{ type: "toolCall", id: path, name, arguments: { path } }],
    api: "",
    provider: "",
    model: "",
    usage: noUsage(),
    stopReason: "toolUse",
    timestamp: 0,
  },
});

/** Candidates by what each says; a failure is why it says nothing. */
function summariser(
  answers: readonly (string | Error)[],
  { instructions, signal = new AbortController().signal }: { instructions?: string; signal?: AbortSignal } = {},
) {
  const asked: { system: string; prompt: string }[] = [];
  const failures: string[] = [];
  const candidates = answers.map(
    (answer, at): Summarizer => ({
      name: `c${at}`,
      window: 100_000,
      async ask(question) {
        asked.push(question);
        if (signal.aborted) return fail("aborted", "stopped");
        return answer instanceof Error ? fail("failed", answer.message) : ok(answer);
      },
    }),
  );
  const failed = (why: string) => void failures.push(why);
  const told = { instructions, signal, earlier: () => [], failed };
  return { asked, failures, summarise: branchSummarizer({ candidates, budget: 10_000, ...told }) };
}

test("a branch is summed up with what was said in it, and its files are named", async () => {
  const journal = begin();
  const base = journal.append(calls("read", "base.ts"));
  journal.append(user("try it"));
  journal.append(calls("read", "a.ts"));
  journal.append(calls("read", "b.ts"));
  journal.append(calls("edit", "b.ts"));
  const { asked, summarise } = summariser(["It failed."]);
  const moved = await navigate(journal, base.id, summarise);
  const said = asked[0]?.prompt ?? "";
  expect(said).toStartWith("<conversation>\n");
  expect(asked[0]?.system).toContain("call no tool");
  expect(said).toContain("[user] try it");
  expect(said).toContain('edit(path: "b.ts")');
  expect(said).not.toContain("base.ts");
  const summary = moved.done === "moved" && moved.summary?.type === "branch_summary" ? moved.summary : undefined;
  expect(summary?.details).toEqual({ readFiles: ["a.ts"], modifiedFiles: ["b.ts"] });
  expect(summary?.summary).toMatch(/^A branch[\s\S]*It failed\.\n\n<files>\na\.ts \(Read\)\nb\.ts \(RW\)\n<\/files>$/);
});

test("questions and answers between a call and its result are not sent to the summarizer", async () => {
  const journal = begin();
  const base = journal.append(user("base"));
  journal.append(calls("edit", "a.ts"));
  journal.append({ type: "custom", customType: "pith.question", data: { text: "may I?" } });
  journal.append({ type: "custom", customType: "pith.answer", data: { words: "you may" } });
  const { asked, summarise } = summariser(["Done."]);
  await navigate(journal, base.id, summarise);
  expect(JSON.stringify(asked)).toContain("a.ts");
  expect(JSON.stringify(asked)).not.toContain("may");
  const kept = selectEntries(journal.tree.all().toArray(), 10_000).map((entry) => entry.type);
  expect(kept).not.toContain("custom");
});

test("files of a summary are a tree that says what was done to each, and at most twenty", () => {
  const journal = begin();
  for (const path of ["src/deep/er/a.ts", "src/deep/er/b.ts", "src/deep/c.ts", "/abs/d.ts"])
    journal.append(calls("read", path));
  for (const path of ["src/deep/c.ts", "top.md"]) journal.append(calls("write", path));
  expect(touchedFiles(journal.tree.pathTo()).text).toBe(
    [
      "<files>",
      "top.md (Write)",
      "# /abs/",
      "d.ts (Read)",
      "# src/deep/",
      "c.ts (RW)",
      "## er/",
      "a.ts (Read)",
      "b.ts (Read)",
      "</files>",
    ].join("\n"),
  );
  for (let at = 0; at < 30; at++) journal.append(calls("read", `x/${at}`));
  expect(touchedFiles(journal.tree.pathTo()).text).toContain("\n… (15 more files omitted)\n</files>");
  expect(touchedFiles([]).text).toBe("");
});

test("lists of files that a model repeats, or an earlier program wrote, are not told twice", async () => {
  const journal = begin();
  const base = journal.append(calls("read", "x"));
  journal.append(calls("edit", "b.ts"));
  const { summarise } = summariser(["Done.\n<files>\nold.ts (Read)\n</files>\n<read-files>\nz\n</read-files>"]);
  const moved = await navigate(journal, base.id, summarise);
  const summary = moved.done === "moved" && moved.summary?.type === "branch_summary" ? moved.summary.summary : "";
  expect(summary).toEndWith("Done.\n\n<files>\nb.ts (Write)\n</files>");
});

test("other instructions take the place of ours", async () => {
  const journal = begin();
  const base = journal.append(calls("read", "x"));
  journal.append(user("left"));
  const { asked, summarise } = summariser(["ok"], { instructions: "In one word." });
  await navigate(journal, base.id, summarise);
  expect(asked[0]?.prompt).toEndWith("</conversation>\n\nIn one word.");
});

test("a failed or aborted summary moves nothing", async () => {
  const journal = begin();
  const base = journal.append(calls("read", "x"));
  const leaf = journal.append(user("left"));
  const failed = summariser([new Error("down"), new Error("too")]);
  expect(await navigate(journal, base.id, failed.summarise)).toEqual({ done: "cancelled" });
  expect(failed.failures).toEqual(["c1: too"]);
  const aborted = summariser(["too late"], { signal: AbortSignal.abort() });
  expect(await navigate(journal, base.id, aborted.summarise)).toEqual({ done: "cancelled" });
  expect(journal.tree.leaf).toBe(leaf.id);
});

test("if a summarizer fails, the next one is asked", async () => {
  const journal = begin();
  const base = journal.append(calls("read", "x"));
  journal.append(user("left"));
  const { failures, summarise } = summariser([new Error("down"), "By the second."]);
  expect(await navigate(journal, base.id, summarise)).toMatchObject({
    summary: { summary: expect.stringContaining("By the second.") },
  });
  expect(failures).toEqual([]);
});

test("the newest entries are taken while they fit, and a summary near the edge though it does not", () => {
  const journal = begin();
  const summary = journal.append({
    type: "compaction",
    summary: "s".repeat(4000),
    firstKeptEntryId: "x",
    tokensBefore: 0,
  });
  const old = journal.append(user("o".repeat(4000)));
  const rest = [1, 2, 3].map((at) => journal.append(user(String(at).repeat(360))));
  const ids = (entries: Entry[]) => entries.map((entry) => entry.id);
  const all = journal.tree.pathTo();
  expect(ids(selectEntries(all, 500))).toEqual(ids(rest));
  expect(ids(selectEntries([summary, ...rest], 500))).toEqual(ids([summary, ...rest]));
  expect(ids(selectEntries([summary, ...rest], 300))).toEqual(ids(rest));
  expect(ids(selectEntries(all, 100_000))).toEqual(ids([summary, old, ...rest]));
});
