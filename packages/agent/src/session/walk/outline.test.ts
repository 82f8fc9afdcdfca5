import { expect, test } from "bun:test";
import { noUsage } from "@pith/llm";
import type { EntryDraft } from "../entry.ts";
import { Journal } from "../journal.ts";
import { memoryStorage } from "../store/storage.ts";
import { outline, outlineSteps } from "./outline.ts";

const begin = () =>
  Journal.create({ storage: () => memoryStorage(), clock: { now: () => 0 }, onFault: () => {} }, { cwd: "/" });
const user = (content: string): EntryDraft => ({ type: "message", message: { role: "user", content, timestamp: 0 } });
/** With nothing to say, a call. */
const reply = (text: string): EntryDraft => ({
  type: "message",
  message: {
    role: "assistant",
    content:
      text === ""
        ? [{ type: "toolCall", id: "c", name: "bash", arguments: { command: "make it" } }]
        : [{ type: "text", text }],
    api: "a",
    provider: "p",
    model: "m",
    usage: noUsage(),
    stopReason: "stop",
    timestamp: 0,
  },
});
const result: EntryDraft = {
  type: "message",
  message: {
    role: "toolResult",
    toolCallId: "c",
    toolName: "bash",
    content: [{ type: "text", text: "made" }],
    isError: false,
    timestamp: 0,
  },
};

test("the outline shows per filter what it should, with labels, forks and searches", () => {
  const journal = begin();
  const change = journal.append({ type: "model_change", provider: "p", modelId: "m" });
  const asked = journal.append(user("please build"));
  const title = journal.append({ type: "session_info", name: "Build" });
  const call = journal.append(reply(""));
  const made = journal.append(result);
  const answer = journal.append(reply("FOO and bar"));
  journal.append({ type: "label", targetId: answer.id, label: "mark" });
  journal.tree.moveTo(asked.id);
  const other = journal.append(reply("only foo"));
  const ids = (filter: Parameters<typeof outline>[1], query = "") =>
    outline(journal.tree, filter, query).map((row) => row.entry.id);
  expect(ids("default")).toEqual([asked.id, made.id, answer.id, other.id]);
  expect(ids("no-tools")).toEqual([asked.id, answer.id, other.id]);
  expect(ids("user-only")).toEqual([asked.id]);
  expect(ids("labeled-only")).toEqual([answer.id]);
  expect(ids("all")).toHaveLength(8);
  expect(ids("all")).toContain(title.id);
  expect([...outlineSteps(journal.tree)]).toEqual([]);
  expect(ids("all")[0]).toBe(change.id);
  expect(ids("default", "foo BAR")).toEqual([answer.id]);
  expect(ids("all", "make it")).toEqual([call.id, made.id]);
  const rows = outline(journal.tree, "all");
  expect(rows.filter((row) => row.active).map((row) => row.entry.id)).toEqual([change.id, asked.id, other.id]);
  expect(rows.find((row) => row.entry.id === answer.id)).toMatchObject({ label: "mark", depth: 1 });
});

test("a search finds words in any order and case by label, role, text, kind and command; all must be there", () => {
  const journal = begin();
  const asked = journal.append(user("Please\n  BUILD the thing"));
  const call = journal.append(reply(""));
  const made = journal.append(result);
  const note = journal.append({ type: "custom_message", customType: "pith.note", content: "be quick", display: true });
  const data = journal.append({ type: "custom", customType: "pith.prompt", data: {} });
  journal.append({ type: "label", targetId: asked.id, label: "Good Start" });
  const found = (query: string) => outline(journal.tree, "all", query).map((row) => row.entry.id);
  expect(found("  thing   build ")).toEqual([asked.id]);
  expect(found("good BUILD")).toEqual([asked.id]);
  expect(found("build quick")).toEqual([]);
  expect(found("toolresult")).toEqual([made.id]);
  expect(found("assistant make")).toEqual([call.id]);
  expect(found("toolresult make")).toEqual([made.id]);
  expect(found("PITH.NOTE quick")).toEqual([note.id]);
  expect(found("pith.prompt")).toEqual([data.id]);
});

test("an answer that failed before it said anything says why", () => {
  const journal = begin();
  journal.append(user("go"));
  const { type, message } = reply("x") as EntryDraft & { type: "message" };
  const failed = { ...message, content: [], stopReason: "error", errorMessage: "overloaded" } as typeof message;
  journal.append({ type, message: failed });
  expect(outline(journal.tree).map(({ text }) => text)).toEqual(["go", "overloaded"]);
});

test("questions between a call and its result are not in the list, and the place above them is marked", () => {
  const journal = begin();
  const asked = journal.append(user("please build"));
  const call = journal.append(reply(""));
  const question = journal.append({ type: "custom", customType: "pith.question", data: { id: "1" } });
  const ids = (filter: Parameters<typeof outline>[1]) => outline(journal.tree, filter).map((row) => row.entry.id);
  const leaf = (filter: Parameters<typeof outline>[1]) =>
    outline(journal.tree, filter).find((row) => row.leaf)?.entry.id;
  // Killed while it asked: the call is where the session stands.
  expect(ids("default")).toEqual([asked.id, call.id]);
  expect([leaf("default"), leaf("all")]).toEqual([call.id, question.id]);
  journal.append({ type: "custom", customType: "pith.answer", data: { id: "1" } });
  const made = journal.append(result);
  expect(ids("default")).toEqual([asked.id, made.id]);
  expect(ids("no-tools")).toEqual([asked.id]);
  expect(ids("all")).toHaveLength(5);
  expect(leaf("default")).toBe(made.id);
  expect(outline(journal.tree, "all").every((row) => row.active && row.depth === 0)).toBe(true);
});

test("no row of the tree is blank, whatever an entry is", () => {
  const header = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}';
  const odd = [
    { type: "hologram" },
    { type: "custom", customType: "pith.prompt" },
    { type: "label", targetId: "00000000", label: "here" },
    { type: "model_change", provider: "p", modelId: "m" },
    { type: "thinking_level_change", thinkingLevel: "high" },
    { type: "compaction", summary: "" },
    { type: "message", message: { role: "bashExecution", command: "ls" } },
    {
      type: "message",
      message: { role: "assistant", content: [{ type: "toolCall", id: "1", name: "read", arguments: { path: "a" } }] },
    },
    { type: "message", message: { role: "toolResult", content: [] } },
    { type: "custom_message", customType: "hint", content: "" },
  ];
  const lines = odd.map((rest, at) =>
    JSON.stringify({ id: `0000000${at}`, parentId: at === 0 ? null : `0000000${at - 1}`, timestamp: "x", ...rest }),
  );
  const opened = Journal.open({
    storage: memoryStorage(`${[header, ...lines].join("\n")}\n`),
    clock: { now: () => 0 },
    onFault: () => {},
  });
  if (!opened.ok) throw new Error(opened.message);
  expect(outline(opened.value.journal.tree, "all").map((row) => row.text)).toEqual([
    "hologram",
    "pith.prompt",
    "label here",
    "model p/m",
    "thinking high",
    "compaction",
    "ls",
    'read({"path":"a"})',
    "toolResult",
    "hint",
  ]);
});

test("a search sees the whole of a text, not only the line that is shown", () => {
  const journal = begin();
  const long = journal.append(user(`${"words ".repeat(2000)}\nneedle at the end`));
  journal.append(user("words"));
  expect(outline(journal.tree, "default", "NEEDLE words").map((row) => row.entry.id)).toEqual([long.id]);
});

test("a long record is outlined in small steps that tell how far they are", () => {
  const journal = begin();
  for (let at = 0; at < 90; at++) journal.append(user(`words ${at}`));
  const steps = outlineSteps(journal.tree, "default", "words 8");
  const told: number[] = [];
  let step = steps.next();
  for (; !step.done; step = steps.next()) told.push(step.value);
  expect(told.slice(0, 4)).toEqual([20, 40, 60, 80]);
  expect(told.length).toBe(12);
  expect(step.value.map(({ text }) => text)).toEqual(
    outline(journal.tree, "default", "words 8").map(({ text }) => text),
  );
});
