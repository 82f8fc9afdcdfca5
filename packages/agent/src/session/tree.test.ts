import { expect, test } from "bun:test";
import fc from "fast-check";
import { Context } from "./context.ts";
import type { Custom, Draft, Entry } from "./entry.ts";
import { Journal } from "./journal.ts";
import { memoryStorage, type Storage } from "./store/storage.ts";
import { leftBehind, navigate } from "./walk/navigate.ts";
import { outline } from "./walk/outline.ts";

const clock = { now: () => 1_700_000_000_000 };
const begin = (storage: Storage) => Journal.create({ storage: () => storage, clock, onFault: () => {} }, { cwd: "/" });
function reopen(storage: Storage): Journal {
  const opened = Journal.open({ storage, clock, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  return opened.value.journal;
}
const user = (text: string): Draft => ({ type: "message", message: { role: "user", content: text, timestamp: 0 } });
const reply = (text: string): Draft => ({
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
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "stop",
    timestamp: 0,
  },
});
const result: Draft = {
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

/** What a tree must do, written the plain way. */
interface Plain {
  entries: Entry[];
  leaf: string | null;
}
function plainPath({ entries, leaf }: Plain): Entry[] {
  const path: Entry[] = [];
  for (let at = leaf; at !== null; ) {
    const entry = entries.find((one) => one.id === at);
    if (!entry) throw new Error(`no way from ${at}`);
    path.unshift(entry);
    at = entry.parentId;
  }
  return path;
}

/** Ours, those of other programs, and two whose rows look the same. */
const names = ["pith.todo", "shop.cart", "shop.nnhk", "wörter", "label"] as const;

const part = fc.double({ min: 0, max: 0.999, noNaN: true });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("say" as const), part, text: fc.string({ maxLength: 12 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("move" as const, "root" as const), part, text: fc.constant("") }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("label" as const, "compact" as const),
      part,
      text: fc.constantFrom("", "a", "b"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("queue" as const, "deliver" as const, "withdraw" as const, "reopen" as const),
      part,
      text: fc.constant(""),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("keep" as const, "remark" as const),
      part,
      text: fc.constantFrom(...names),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A session and its plain counterpart, changed side by side. */
class World {
  readonly storage = memoryStorage();
  readonly plain: Plain = { entries: [], leaf: null };
  journal = begin(this.storage);

  play(one: Step): void {
    const target = this.plain.entries[Math.floor(one.part * this.plain.entries.length)]?.id ?? null;
    const steps: Record<Step["do"], () => void> = {
      say: () => void this.#add(user(one.text)),
      move: () => this.#move(target),
      root: () => this.#move(null),
      label: () => target && this.#add({ type: "label", targetId: target, ...(one.text ? { label: one.text } : {}) }),
      compact: () =>
        void this.#add({ type: "compaction", summary: "s", firstKeptEntryId: target ?? "nothing", tokensBefore: 0 }),
      queue: () => void this.#add(queued),
      deliver: () => void this.#add({ ...user("q"), inbox: this.#add(queued).id } as Draft),
      withdraw: () =>
        void this.#add({ type: "custom", customType: "pith.withdrawn", data: { inbox: this.#add(queued).id } }),
      keep: () => void this.#add({ type: "custom", customType: one.text, data: one.part }),
      remark: () => void this.#add({ type: "custom_message", customType: one.text, content: "x", display: true }),
      reopen: () => this.#reopen(),
    };
    steps[one.do]();
  }

  check(): void {
    const path = plainPath(this.plain);
    expect(this.journal.tree.leaf).toBe(this.plain.leaf);
    expect(this.journal.tree.pathTo()).toEqual(path);
    expect([...this.journal.tree.back()]).toEqual(path.toReversed());
    expect(this.journal.tree.countMessages()).toBe(path.filter((entry) => entry.type === "message").length);
    expect(new Context(this.journal).messages).toEqual(new Context(reopenAt(this.storage, this.plain)).messages);
    const settled = new Set(this.plain.entries.map(settledBy));
    expect(this.journal.tree.queued()).toEqual(
      path.filter((entry) => isCustom(entry, "pith.inbox") && !settled.has(entry.id)),
    );
    for (const name of names)
      expect(this.journal.tree.lastCustom(name)).toEqual(
        path.findLast((entry): entry is Custom => isCustom(entry, name)),
      );
  }

  checkLabels(): void {
    const labels = new Map<string, string>();
    for (const entry of this.plain.entries) if (entry.type === "label") labels.set(entry.targetId, entry.label ?? "");
    expect(this.journal.tree.labels()).toEqual(new Map([...labels].filter(([, label]) => label !== "")));
  }

  #add(draft: Draft): Entry {
    const entry = this.journal.append(draft);
    expect(entry.parentId).toBe(this.plain.leaf);
    this.plain.entries.push(structuredClone(entry));
    this.plain.leaf = entry.id;
    return entry;
  }

  #move(id: string | null): void {
    this.plain.leaf = id;
    this.journal.tree.moveTo(id);
  }

  #reopen(): void {
    if (this.plain.entries.length === 0) return;
    this.journal = reopen(this.storage);
    this.plain.leaf = this.plain.entries.at(-1)?.id ?? null;
  }
}
const isCustom = (entry: Entry, name: string) => entry.type === "custom" && entry.customType === name;
const settledBy = (entry: Entry): unknown =>
  entry.type === "message"
    ? entry.inbox
    : isCustom(entry, "pith.withdrawn") && (entry as { data?: { inbox?: string } }).data?.inbox;
const queued: Draft = { type: "custom", customType: "pith.inbox", data: { when: "after", text: "q" } };

test("any sequence of steps keeps every path whole, and a reopened session is the same one", () => {
  const run = (steps: readonly Step[]) => {
    const world = new World();
    for (const one of steps) {
      world.play(one);
      world.check();
    }
    expect([...world.journal.tree.all()]).toEqual(world.plain.entries);
    world.checkLabels();
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), run), { numRuns: 150 });
});

function reopenAt(storage: Storage, plain: Plain): Journal {
  if (plain.entries.length === 0) return begin(memoryStorage());
  const journal = reopen(storage);
  journal.tree.moveTo(plain.leaf);
  return journal;
}

test("the newest state of a name is found on its own branch, whoever else writes under a name that looks alike", () => {
  const storage = memoryStorage();
  const journal = begin(storage);
  const keep = (customType: string, data: unknown) => journal.append({ type: "custom", customType, data });
  const ours = keep("shop.cart", "ours");
  keep("shop.nnhk", "another program's, with the same hash");
  journal.append({ type: "custom_message", customType: "shop.cart", content: "said, not kept", display: true });
  const fork = journal.append(user("fork here"));
  keep("shop.cart", "left");
  journal.tree.moveTo(fork.id);
  keep("pith.todo", "right");
  for (const { tree } of [journal, reopen(storage)]) {
    expect(tree.lastCustom("shop.cart")?.data).toBe("ours");
    expect(tree.lastCustom("shop.cart", (entry) => entry.data === "left")).toBeUndefined();
    expect(tree.lastCustom("shop.nnhk")?.data).toBe("another program's, with the same hash");
    expect(tree.lastCustom("pith.todo")?.data).toBe("right");
    expect(tree.lastCustom("shop.1nc49")).toBeUndefined();
  }
  journal.tree.moveTo(ours.id);
  expect(journal.tree.lastCustom("shop.nnhk")).toBeUndefined();
  expect(journal.tree.lastCustom("pith.todo")).toBeUndefined();
  journal.tree.moveTo(null);
  expect(journal.tree.lastCustom("shop.cart")).toBeUndefined();
});

test("100 entries handed over at once stand in the order they were given", async () => {
  const storage = memoryStorage();
  const journal = begin(storage);
  const entries = await Promise.all(Array.from({ length: 100 }, async (_, at) => journal.append(user(String(at)))));
  expect(
    reopen(storage)
      .tree.pathTo()
      .map((entry) => entry.id),
  ).toEqual(entries.map((entry) => entry.id));
});

test("going back to what a person said hands the text back and the next entry is its sibling", async () => {
  const journal = begin(memoryStorage());
  const first = journal.append(user("one"));
  journal.append(reply("answer"));
  const second = journal.append(user("two"));
  expect(await navigate(journal, second.id)).toEqual({ done: "stayed" });
  journal.append(reply("more"));
  expect(await navigate(journal, second.id)).toEqual({ done: "moved", text: "two" });
  expect(journal.append(user("other")).parentId).toBe(second.parentId);
  expect(await navigate(journal, first.id)).toEqual({ done: "moved", text: "one" });
  expect(journal.tree.leaf).toBeNull();
  const answer = journal.tree.children(first.id)[0] as Entry;
  expect(await navigate(journal, answer.id)).toEqual({ done: "moved" });
  expect(journal.tree.leaf).toBe(answer.id);
});

test("what is left behind is summed up before the move, and a summary that is given up moves nothing", async () => {
  const journal = begin(memoryStorage());
  const base = journal.append(reply("base"));
  const left = journal.append(user("left"));
  const kept = journal.append({ type: "compaction", summary: "c", firstKeptEntryId: left.id, tokensBefore: 0 });
  expect(leftBehind(journal.tree, base.id).map((entry) => entry.id)).toEqual([left.id, kept.id]);
  expect(await navigate(journal, base.id, async () => undefined)).toEqual({ done: "cancelled" });
  expect(journal.tree.leaf).toBe(kept.id);
  const moved = await navigate(journal, base.id, async (entries) => ({ summary: `${entries.length} entries` }));
  expect(moved).toMatchObject({
    done: "moved",
    summary: { type: "branch_summary", fromId: kept.id, parentId: base.id, summary: "2 entries" },
  });
  const asked: unknown[] = [];
  journal.tree.moveTo(base.id);
  await navigate(journal, left.id, async (entries) => void asked.push(entries));
  expect(asked).toEqual([]);
});

test("the outline shows per filter what it should, with labels, forks and searches", () => {
  const journal = begin(memoryStorage());
  const change = journal.append({ type: "model_change", provider: "p", modelId: "m" });
  const asked = journal.append(user("please build"));
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
  expect(ids("all")).toHaveLength(7);
  expect(ids("all")[0]).toBe(change.id);
  expect(ids("default", "foo BAR")).toEqual([answer.id]);
  expect(ids("all", "make it")).toEqual([call.id]);
  const rows = outline(journal.tree, "all");
  expect(rows.filter((row) => row.active).map((row) => row.entry.id)).toEqual([change.id, asked.id, other.id]);
  expect(rows.find((row) => row.entry.id === answer.id)).toMatchObject({ label: "mark", depth: 1 });
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
