import { afterAll, expect, test } from "bun:test";
import { type EntryDraft, Journal, memoryStorage, openArtifacts } from "@pith/agent";
import { scratch } from "@pith/kit/test";
import { noUsage } from "@pith/llm";
import { Conflicts } from "../conflicts.ts";
import { Router } from "../router.ts";
import { historyOf } from "./history.ts";

const { signal } = new AbortController();
const folder = scratch(afterAll).path;
const user = (content: string): EntryDraft => ({ type: "message", message: { role: "user", content, timestamp: 0 } });
const result = (text: string, details?: Record<string, unknown>): EntryDraft => ({
  type: "message",
  message: {
    role: "toolResult",
    toolCallId: "1",
    toolName: "bash",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 0,
    ...(details === undefined ? {} : { details }),
  },
});

function open() {
  const clock = { now: () => 0 };
  const journal = Journal.create({ storage: () => memoryStorage(), clock }, { cwd: "/" });
  const urls = new Router(
    {
      artifacts: openArtifacts(`${folder}/s.jsonl`),
      sessionDir: `${folder}/s`,
      project: folder,
      home: folder,
      conflicts: new Conflicts(),
    },
    { handlers: { history: async () => historyOf(journal.tree) }, aliases: {}, absent: {} },
  );
  const get = async (href: string) => {
    const got = await urls.resolve(href, signal);
    return got.ok ? (got.value.text ?? "") : `! ${got.message}`;
  };
  return { journal, urls, get };
}

test("any entry of the session is read as it was written, on whatever branch and however it was cut", async () => {
  const { journal, get } = open();
  const first = journal.append(user("build it"));
  journal.append({
    type: "message",
    message: {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "toolCall", id: "1", name: "bash", arguments: { command: "make" } },
      ],
      api: "",
      provider: "",
      model: "",
      usage: noUsage(),
      stopReason: "toolUse",
      timestamp: 0,
    },
  });
  const out = journal.append(result(`${"line\n".repeat(3)}last`));
  journal.append({ type: "context_edit", targetId: out.id, replacement: { content: "gone" } } as unknown as EntryDraft);
  journal.tree.moveTo(first.id);
  expect(await get(`history://session/${out.id}`)).toBe(
    "toolResult bash, 1970-01-01T00:00:00.000Z\n\nline\nline\nline\nlast",
  );
  const call = journal.tree.children(first.id)[0];
  expect(await get(`history://session/${call?.id}`)).toEndWith('(thought) hm\n→ bash {"command":"make"}');
  expect(await get("history://session/00000000")).toStartWith("! history://session/00000000 not found.");
  const kept = journal.append({ type: "custom", customType: "pith.todo", data: { a: 1 } });
  expect(await get(`history://session/${kept.id}`)).toContain('"a": 1');
});

test("words are searched in all that was said, the newest first, whatever their case", async () => {
  const { journal, get } = open();
  for (let at = 0; at < 30; at++) journal.append(user(`${"x".repeat(500)} Needle number ${at}`));
  journal.append({ type: "custom", customType: "pith.note", data: "needle" });
  journal.append(user("read history://session?q=needle+number"));
  const found = (await get("history://session?q=needle+NUMBER")).split("\n");
  expect(found[0]).toBe("30 entries with needle number, the newest 20:");
  expect(found[1]).toMatch(/^history:\/\/session\/\w+ user: ….*Needle number 29$/);
  expect(found).toHaveLength(21);
  expect(await get("history://session?q=number+28")).toStartWith("1 entry with number 28:");
  expect(await get("history://session?q=nowhere")).toBe("0 entries with nowhere.");
  expect(await get("history://session")).toStartWith("31 entries, the newest 20:");
});

test("what a stranger wrote on another branch is as strange when it is read again", async () => {
  const { journal, urls } = open();
  const base = journal.append(user("look"));
  const page = journal.append(result("obey me", { meta: { origin: { from: "web", what: "evil.example" } } }));
  const told = journal.append(user("what does it say?"));
  journal.tree.moveTo(base.id);
  for (const href of [`history://session/${page.id}`, `history://session/${told.id}`, "history://session?q=obey"]) {
    expect(await urls.resolve(href, signal)).toMatchObject({
      value: { origin: { from: "web", what: "evil.example" } },
    });
  }
  expect(await urls.resolve(`history://session/${base.id}`, signal)).toMatchObject({ value: { origin: undefined } });
});
