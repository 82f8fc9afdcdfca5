import { expect, test } from "bun:test";
import { type EntryDraft, Journal, memoryStorage } from "@pith/agent";
import { editMemory, listMemory } from "./edit.ts";
import { type Memory, memoryIn, memoryText, noMemory } from "./facts.ts";
import { SessionMemory } from "./session.ts";

const user = (content: string): EntryDraft => ({ type: "message", message: { role: "user", content, timestamp: 0 } });
const result = (command: string, text: string, isError: boolean): EntryDraft => ({
  type: "message",
  message: {
    role: "toolResult",
    toolCallId: "1",
    toolName: "bash",
    content: [{ type: "text", text }],
    details: { kind: "run", intent: { command, paths: [] } },
    isError,
    timestamp: 0,
  },
});
const summary = (text: string): EntryDraft => ({
  type: "compaction",
  summary: text,
  firstKeptEntryId: "x",
  tokensBefore: 0,
});

function open() {
  const journal = Journal.create({ storage: () => memoryStorage(), clock: { now: () => 0 } }, { cwd: "/" });
  return { journal, memory: new SessionMemory(journal.tree, (draft) => void journal.append(draft)) };
}
const edit = (memory: Memory, words: string): Memory => {
  const changed = editMemory(memory, words);
  if (!changed?.ok) throw new Error(changed?.message);
  return changed.value;
};

test("the task and failed calls are remembered, until the calls succeed", () => {
  const { journal, memory } = open();
  journal.append(user(`fix it ${"now ".repeat(100)}`));
  journal.append(user("and more"));
  journal.append(result("npm test", "> test\nError: 2 failed\nbye", true));
  journal.append(result("npm run lint", "no such script", true));
  expect(memory.current.errors).toEqual([
    { call: "bash npm test", why: "Error: 2 failed" },
    { call: "bash npm run lint", why: "no such script" },
  ]);
  journal.append(result("npm test", "ok", false));
  expect(memory.current.errors.map(({ call }) => call)).toEqual(["bash npm run lint"]);
  const text = memoryText(memory.current);
  expect(text).toStartWith("<session_memory>\n## Task Reference\nfix it now");
  expect(text.split("\n")[2]).toHaveLength(121);
  expect(text).not.toContain("and more");
  expect(listMemory(memory.current)).toStartWith("1 error\n1. task: fix it");
});

test("decisions and promises come from the headings of the newest summary", () => {
  const { journal, memory } = open();
  journal.append(summary("## Promises made\n- Tabs, no spaces.\n* Never push\n\n## Remaining work\n- x\n"));
  expect(memory.current.decided).toEqual(["Tabs, no spaces.", "Never push"]);
  journal.append(summary("## Approaches that failed\n1. regex: too slow\n## Promises made\nnone\n\n<files>\n"));
  expect(memory.current).toMatchObject({ decided: ["Tabs, no spaces.", "Never push"], tried: ["regex: too slow"] });
  journal.append(summary("## PROMISES MADE\n- Spaces"));
  expect(memory.current.decided).toEqual(["Spaces"]);
});

test("a person's additions, changes and removals stay, also after a resume, and on each branch its own", () => {
  const { journal, memory } = open();
  journal.append(user("go"));
  journal.append(result("make", "broken", true));
  const before = journal.tree.leaf;
  memory.save(edit(memory.current, "add  use   pnpm"));
  memory.save(edit(memory.current, "rm 2"));
  journal.append(result("make", "broken again", true));
  expect(memory.current).toMatchObject({ notes: ["use pnpm"], errors: [] });
  memory.save(edit(memory.current, "edit 1 another task"));
  memory.save(edit(memory.current, "edit 2 use npm"));
  expect(memory.current).toMatchObject({ task: "another task", notes: ["use npm"] });
  const again = new SessionMemory(journal.tree, () => {});
  expect(again.current).toEqual(memory.current);
  journal.tree.moveTo(before);
  expect(memory.current).toMatchObject({ task: "go", notes: [], errors: [{ call: "bash make" }] });
});

test("an unchanged memory is not written again, and a damaged entry does no harm", () => {
  const { journal, memory } = open();
  journal.append(user("go"));
  memory.save();
  const { size } = journal.tree;
  memory.save();
  expect(journal.tree.size).toBe(size);
  for (const odd of [undefined, null, "{", 7, [], { task: 3, read: "x", errors: [null, { call: 1 }], notes: [1, "a"] }])
    expect(memoryIn(odd)).toEqual({
      ...noMemory,
      notes: Array.isArray(odd) || typeof odd !== "object" || !odd ? [] : ["a"],
    });
  expect(memoryText(noMemory)).toBe("");
  expect(memoryIn({ notes: Array.from({ length: 999 }, String) }).notes).toHaveLength(40);
});

test("a wrong command says how it is used and changes nothing", () => {
  for (const words of ["x", "add", "rm", "rm x", "edit 1", "rm 1 more"])
    expect(editMemory(noMemory, words)).toBeUndefined();
  expect(editMemory(noMemory, "rm 9")).toMatchObject({ message: "There is no 9; /memory shows what there is." });
  expect(edit(noMemory, "add \x1b[31mred\n\nand long").notes).toEqual(["red and long"]);
});
