import { expect, test } from "bun:test";
import fc from "fast-check";
import { Context } from "./context.ts";
import type { Custom, Entry, EntryDraft } from "./entry.ts";
import { Journal } from "./journal.ts";
import { memoryStorage, type Storage } from "./store/storage.ts";

const clock = { now: () => 1_700_000_000_000 };
const begin = (storage: Storage) => Journal.create({ storage: () => storage, clock, onFault: () => {} }, { cwd: "/" });
function reopen(storage: Storage): Journal {
  const opened = Journal.open({ storage, clock, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  return opened.value.journal;
}
const user = (text: string): EntryDraft => ({
  type: "message",
  message: { role: "user", content: text, timestamp: 0 },
});

/** A tree in its simplest form, to compare with. */
interface Plain {
  entries: Entry[];
  leaf: string | null;
}
function plainPath({ entries, leaf }: Plain): Entry[] {
  const path: Entry[] = [];
  for (let at = leaf; at !== null; ) {
    const entry = entries.find(({ id }) => id === at);
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

  play(action: Step): void {
    const target = this.plain.entries[Math.floor(action.part * this.plain.entries.length)]?.id ?? null;
    const steps: Record<Step["do"], () => void> = {
      say: () => void this.#add(user(action.text)),
      move: () => this.#move(target),
      root: () => this.#move(null),
      label: () =>
        target && this.#add({ type: "label", targetId: target, ...(action.text ? { label: action.text } : {}) }),
      compact: () =>
        void this.#add({ type: "compaction", summary: "s", firstKeptEntryId: target ?? "nothing", tokensBefore: 0 }),
      queue: () => void this.#add(queued),
      deliver: () => void this.#add({ ...user("q"), inbox: this.#add(queued).id } as EntryDraft),
      withdraw: () =>
        void this.#add({ type: "custom", customType: "pith.withdrawn", data: { inbox: this.#add(queued).id } }),
      keep: () => void this.#add({ type: "custom", customType: action.text, data: action.part }),
      remark: () => void this.#add({ type: "custom_message", customType: action.text, content: "x", display: true }),
      reopen: () => this.#reopen(),
    };
    steps[action.do]();
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

  #add(draft: EntryDraft): Entry {
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
const queued: EntryDraft = { type: "custom", customType: "pith.inbox", data: { when: "after", text: "q" } };

test("any sequence of steps keeps every path whole, and a reopened session is the same one", () => {
  const run = (steps: readonly Step[]) => {
    const world = new World();
    for (const action of steps) {
      world.play(action);
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
