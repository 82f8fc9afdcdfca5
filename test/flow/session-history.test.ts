// The history of any session is accepted by servers: random trees, interrupted turns, compactions that keep from
// anywhere, damaged files, against the strict server of every protocol.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Entry, type EntryDraft, Journal, memoryBlobs, memoryStorage } from "../../packages/agent/src/index.ts";
import { Context, openCalls } from "../../packages/agent/src/session/context.ts";
import { refusal, toMessage } from "../../packages/agent/src/tool/result.ts";
import { type AssistantMessage, noUsage, type Request, type StreamEvent } from "../../packages/llm/src/index.ts";
import { benches, serve, streamTo } from "../../packages/llm/src/test/index.ts";

const clock = { now: () => 1_700_000_000_000 };
const part = fc.double({ min: 0, max: 0.999, noNaN: true });
const kinds = [
  "user",
  "empty",
  "image",
  "answer",
  "thought",
  "calls",
  "result",
  "stray",
  "aborted",
  "failed",
  "note",
  "shell",
  "compact",
  "prune",
  "shorten",
  "drop",
  "summary",
  "move",
  "label",
] as const;
const step = fc.record({ kind: fc.constantFrom(...kinds), part, text: fc.string({ unit: "grapheme", maxLength: 20 }) });
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
const history = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 30 }),
  damage: fc.array(part, { maxLength: 3 }),
  cut: fc.option(part),
});

const reply = (
  content: AssistantMessage["content"],
  stopReason: AssistantMessage["stopReason"] = "stop",
): EntryDraft => ({
  type: "message",
  message: {
    role: "assistant",
    content,
    api: "openai-completions",
    provider: "openai",
    model: "gpt-5.5",
    usage: noUsage(),
    stopReason,
    timestamp: 1,
  },
});
const result = (id: string, text: string): EntryDraft => ({
  type: "message",
  message: {
    role: "toolResult",
    toolCallId: id,
    toolName: "bash",
    content: text === "" ? [] : [{ type: "text", text }],
    isError: false,
    timestamp: 1,
  },
});
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function draftOf({ kind, text, part: at }: Step, journal: Journal): EntryDraft | undefined {
  const entries = [...journal.tree.all()];
  const target = entries[Math.floor(at * entries.length)];
  const call = (n: number) => ({
    type: "toolCall" as const,
    id: `call_${entries.length}_${n}`,
    name: "bash",
    arguments: { command: text },
  });
  const edit = (replacement: Extract<EntryDraft, { type: "context_edit" }>["replacement"]): EntryDraft | undefined =>
    target && { type: "context_edit", targetId: target.id, replacement };
  const drafts: Record<Step["kind"], () => EntryDraft | undefined> = {
    user: () => ({ type: "message", message: { role: "user", content: text, timestamp: 1 } }),
    empty: () => ({ type: "message", message: { role: "user", content: [], timestamp: 1 } }),
    image: () => ({
      type: "message",
      message: {
        role: "user",
        content: [
          { type: "image", data: at < 0.5 ? picture : Buffer.alloc(1200, 3).toString("base64"), mimeType: "image/png" },
        ],
        timestamp: 1,
      },
    }),
    answer: () => reply([{ type: "text", text }]),
    thought: () =>
      reply([
        { type: "thinking", thinking: text, thinkingSignature: "c2ln" },
        { type: "text", text: `${text}.` },
      ]),
    calls: () => reply([{ type: "text", text }, call(1), call(2)], "toolUse"),
    result: () => {
      const [open] = openCalls(new Context(journal).messages);
      return open && result(open.id, text);
    },
    stray: () => result(`call_${Math.floor(at * 9)}_1`, text),
    aborted: () => reply([{ type: "text", text }, call(3)], "aborted"),
    failed: () => reply([], "error"),
    note: () => ({ type: "custom_message", customType: "pith.note", content: text, display: true }),
    shell: () =>
      ({
        type: "message",
        message: { role: "bashExecution", command: "ls", output: text, exitCode: 0, cancelled: false, timestamp: 1 },
      }) as unknown as EntryDraft,
    compact: () =>
      target ? { type: "compaction", summary: text, firstKeptEntryId: target.id, tokensBefore: 1 } : undefined,
    prune: () => edit({ content: `[Output truncated - 9 tokens]\nhistory://session/${target?.id}` }),
    shorten: () => edit({ content: text === "" ? [] : [{ type: "text", text }] }),
    drop: () => edit(null),
    summary: () => ({ type: "branch_summary", fromId: target?.id ?? "root", summary: text }),
    move: () => {
      journal.tree.moveTo(target?.id ?? null);
      return undefined;
    },
    label: () => (target ? { type: "label", targetId: target.id, label: text } : undefined),
  };
  return drafts[kind]();
}

/** Plays the steps, hurts the bytes, and opens what is left. */
function recorded({
  steps,
  damage,
  cut,
}: {
  steps: readonly Step[];
  damage: readonly number[];
  cut: number | null;
}): Journal {
  const storage = memoryStorage();
  const journal = Journal.create(
    { storage: () => storage, blobs: memoryBlobs(), clock, onFault: () => {} },
    { cwd: "/" },
  );
  for (const step of steps) {
    const draft = draftOf(step, journal);
    if (draft) journal.append(draft);
  }
  const bytes = Buffer.from(storage.read() ?? `${JSON.stringify(journal.header)}\n`);
  const begin = bytes.indexOf(10) + 1;
  for (const at of damage) {
    const hurt = begin + Math.floor(at * (bytes.length - begin));
    bytes.fill("#", hurt, Math.min(hurt + 5, bytes.length));
  }
  const left = cut === null ? bytes : bytes.subarray(0, begin + Math.floor(cut * (bytes.length - begin)));
  // Its blobs are gone, too.
  const opened = Journal.open({
    storage: memoryStorage(left.toString("utf8")),
    blobs: memoryBlobs(),
    clock,
    onFault: () => {},
  });
  if (!opened.ok) throw new Error(opened.message);
  return opened.value.journal;
}

/** The next input, as a conversation admits it. */
function admit(journal: Journal): Entry[] {
  const left = openCalls(new Context(journal).messages).map(
    (call): EntryDraft => ({ type: "message", message: toMessage(call, refusal("interrupted"), 1) }),
  );
  return journal.appendAll([...left, { type: "message", message: { role: "user", content: "go on", timestamp: 1 } }]);
}

describe.each(Object.keys(benches))("%s", (api) => {
  test("never rejects what is made of a session", async () => {
    const bench = benches[api];
    if (!bench) throw new Error(api);
    using served = serve(bench.fake, { text: "ok" });
    const stream = await streamTo(bench, served.url);
    const check = async (steps: Parameters<typeof recorded>[0]) => {
      const journal = recorded(steps);
      admit(journal);
      const events: StreamEvent[] = [];
      const { messages } = new Context(journal);
      const request: Request = { model: bench.model, purpose: "main", system: ["be good"], messages, tools: [] };
      for await (const group of stream(request, new AbortController().signal)) events.push(...group);
      expect(served.refusals).toEqual([]);
      expect(events.at(-1)?.type).toBe("stop");
    };
    await fc.assert(fc.asyncProperty(history, check), { numRuns: Number(process.env.PITH_HISTORIES ?? 60) });
  }, 120_000);
});
