import { afterAll, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@pith/kit/test";
import { calls, says, scripted } from "../loop/scripted.ts";
import { Context } from "./context.ts";
import { Journal, type JournalParts, type Opened } from "./journal.ts";
import { fileStorage } from "./store/disk.ts";
import { memoryStorage, type Storage } from "./store/storage.ts";

const root = mkdtempSync(join(tmpdir(), "pith-session-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
const place = () => join(root, `${made++}`, "session.jsonl");
const clock = { now: () => 1_700_000_000_000 };

function open(file: string, access: "write" | "read" = "write", faults: string[] = []): Opened {
  const opened = Journal.open(
    { storage: fileStorage(file), clock, onFault: (message) => faults.push(message) },
    access,
  );
  if (!opened.ok) throw new Error(opened.message);
  return opened.value;
}
const create = (file: string, more: Partial<JournalParts> = {}) =>
  Journal.create(
    { clock, onFault: () => {}, ...more, storage: () => more.storage ?? fileStorage(file) },
    { cwd: "/project" },
  );
const note = (text: string) => ({ type: "custom_message" as const, customType: "t", content: text, display: true });

async function written(file: string, count: number, size = 20): Promise<string[]> {
  const journal = create(file);
  const ids = Array.from({ length: count }, (_, at) => journal.append(note(`${at} `.padEnd(size, "x"))).id);
  await journal.close();
  return ids;
}

/** Random but the same in every run. */
function* chance(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    yield state / 0x80000000;
  }
}

test("a file cut at any byte, its index left as it was, opens with every entry before the cut", async () => {
  const file = place();
  const ids = await written(file, 4);
  const [bytes, index] = [readFileSync(file), readFileSync(`${file}.idx`)];
  for (let cut = 0; cut <= bytes.length; cut++) {
    writeFileSync(file, bytes.subarray(0, cut));
    writeFileSync(`${file}.idx`, index);
    const whole = Math.max(0, bytes.subarray(0, cut).toString().split("\n").length - 2);
    const { journal } = open(file);
    expect(ids.slice(0, whole).every((id) => journal.tree.has(id))).toBe(true);
    const added = journal.append(note("after")).id;
    await journal.close();
    const again = open(file);
    expect(again.notes).toEqual([]);
    expect(again.journal.tree.leaf).toBe(added);
    await again.journal.close();
  }
}, 120_000);

/** More by hand: `PITH_CUTS=10000 bun test fault`. */
const cuts = Number(process.env.PITH_CUTS ?? 150);

test("a long file cut at random places opens with the entries before the cut", async () => {
  const file = place();
  const ids = await written(file, 3000, 400);
  const bytes = readFileSync(file);
  const ends = [...bytes.toString("latin1").matchAll(/\n/g)].map((found) => found.index);
  const random = chance(7);
  for (let round = 0; round < cuts; round++) {
    const cut = Math.floor((random.next().value ?? 0) * bytes.length);
    writeFileSync(file, bytes.subarray(0, cut));
    const { journal } = open(file);
    const whole = ends.filter((end) => end < cut).length - 1;
    expect(journal.tree.size).toBeGreaterThanOrEqual(whole);
    if (whole > 0) expect(journal.tree.has(ids[whole - 1] ?? "")).toBe(true);
    await journal.close();
  }
}, 600_000);

test("bytes destroyed in the middle cost only their lines, and the rest stays one path", async () => {
  const file = place();
  const ids = await written(file, 200, 300);
  const bytes = readFileSync(file);
  const random = chance(3);
  for (let round = 0; round < 60; round++) {
    const hurt = Buffer.from(bytes);
    const at = 500 + Math.floor((random.next().value ?? 0) * (bytes.length - 1000));
    hurt.fill(0, at, at + 40);
    writeFileSync(file, hurt);
    rmSync(`${file}.idx`, { force: true });
    const faults: string[] = [];
    const { journal, notes } = open(file, "write", faults);
    const read = journal.tree.pathTo().filter((entry) => entry.type === "custom_message");
    expect(read.length).toBeGreaterThanOrEqual(ids.length - 2);
    // Zeros inside a line that ends well are found when the line is read, and told then.
    expect(notes.length + faults.length).toBeGreaterThan(0);
    await journal.close();
  }
});

test("a file that is longer than its index, or another file under its name, is read as it is", async () => {
  const file = place();
  const ids = await written(file, 20);
  appendFileSync(
    file,
    `${JSON.stringify({ type: "custom", customType: "pi", id: "f0f0f0f0", parentId: ids.at(-1), timestamp: "2026-01-01T00:00:00.000Z" })}\n`,
  );
  const longer = open(file);
  expect(longer.journal.tree.leaf).toBe("f0f0f0f0");
  await longer.journal.close();
  const other = place();
  const others = await written(other, 40);
  writeFileSync(file, readFileSync(other));
  const replaced = open(file);
  expect(replaced.journal.tree.pathTo().map((entry) => entry.id)).toEqual(others);
  await replaced.journal.close();
});

test("only one process writes to a session; a second one is told, and may read", async () => {
  const file = place();
  await written(file, 3);
  const first = open(file);
  const second = Journal.open({ storage: fileStorage(file), clock, onFault: () => {} });
  expect(second).toMatchObject({ ok: false, kind: "locked" });
  expect(second.ok ? "" : second.message).toContain(`process ${process.pid}`);
  const faults: string[] = [];
  const reader = open(file, "read", faults);
  reader.journal.append(note("only here"));
  expect(faults.join()).toContain("in memory only");
  await first.journal.close();
  expect(open(file).journal.tree.size).toBe(3);
});

test("a lock whose owner is gone is taken over", async () => {
  const file = place();
  await written(file, 1);
  const child = Bun.spawn(["sleep", "0"]);
  await child.exited;
  const { journal } = open(file);
  const lock = JSON.parse(readFileSync(`${file}.lock`, "utf8"));
  await journal.close();
  expect(existsSync(`${file}.lock`)).toBe(false);
  for (const stale of [
    { ...lock, pid: child.pid },
    { ...lock, start: "1" },
    { ...lock, boot: "another" },
    "half a lo",
  ]) {
    writeFileSync(`${file}.lock`, typeof stale === "string" ? stale : JSON.stringify(stale));
    const again = open(file);
    await again.journal.close();
  }
  writeFileSync(`${file}.lock`, JSON.stringify({ ...lock, host: "elsewhere" }));
  expect(Journal.open({ storage: fileStorage(file), clock, onFault: () => {} })).toMatchObject({
    ok: false,
    kind: "locked",
  });
});

/** Refuses the writes whose number is in the list, after writing half of them. */
function failing(inner: Storage, refuses: (write: number) => boolean): Storage {
  let writes = 0;
  return {
    ...inner,
    append: (bytes) => {
      if (refuses(writes++)) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      return inner.append(bytes);
    },
  };
}

test("a write that fails at any place is caught up with as soon as writing works again", async () => {
  for (let broken = 0; broken < 6; broken++) {
    const faults: string[] = [];
    const storage = memoryStorage();
    const journal = create("", {
      storage: failing(storage, (write) => write >= broken && write < broken + 2),
      onFault: (message) => faults.push(message),
    });
    const own = scripted([calls({ name: "none", input: {} }), says("done")], { journal });
    await own.conversation.send({ text: "go" });
    await own.conversation.send({ text: "again" });
    const ids = own.entries().map((entry) => entry.id);
    expect(own.events.at(-1)).toMatchObject({ state: { end: { reason: "done" } } });
    while (journal.isBehind || ids.length === own.entries().length) journal.append(note("last"));
    const again = Journal.open({ storage, clock, onFault: () => {} });
    expect(again.ok && again.value.journal.tree.pathTo().map((entry) => entry.id)).toEqual(
      own.entries().map((entry) => entry.id),
    );
    expect(faults).toEqual([expect.stringContaining("no space left"), expect.stringContaining("recorded again")]);
  }
});

test("a session that cannot be written any more can be saved elsewhere, whole", async () => {
  const file = place();
  const faults: string[] = [];
  const journal = create(file, { onFault: (message) => faults.push(message) });
  journal.append(note("one"));
  rmSync(join(file, ".."), { recursive: true });
  journal.append(note("two"));
  journal.append(note("three"));
  expect(faults.join()).toContain("deleted");
  const elsewhere = place();
  expect(await journal.saveTo(fileStorage(elsewhere))).toMatchObject({ ok: true });
  journal.append(note("four"));
  await journal.close();
  expect(
    open(elsewhere)
      .journal.tree.pathTo()
      .map((entry) => (entry.type === "custom_message" ? entry.content : "")),
  ).toEqual(["one", "two", "three", "four"]);
});

test("what is said behind half a line that cannot be removed is saved elsewhere as well", async () => {
  const file = place();
  await written(file, 3);
  appendFileSync(file, '{"type":"message","id":"torn');
  const { journal } = open(file, "read");
  const added = [journal.append(note("one")).id, journal.append(note("two")).id];
  expect(journal.tree.get(added[0] ?? "")).toMatchObject({ content: "one" });
  const elsewhere = place();
  expect(await journal.saveTo(fileStorage(file))).toMatchObject({
    ok: false,
    message: expect.stringContaining("already there"),
  });
  expect(await journal.saveTo(fileStorage(elsewhere))).toMatchObject({ ok: true });
  await journal.close();
  const again = open(elsewhere);
  expect(
    again.journal.tree
      .pathTo()
      .slice(3)
      .map((entry) => entry.id),
  ).toEqual(added);
});

test("a directory that cannot be written is told and the run goes on", async () => {
  const folder = join(root, "sealed");
  mkdirSync(folder);
  writeFileSync(join(folder, "file"), "");
  const faults: string[] = [];
  const journal = create(join(folder, "file", "session.jsonl"), { onFault: (message) => faults.push(message) });
  journal.append(note("kept"));
  expect(journal.tree.size).toBe(1);
  expect(faults).toHaveLength(1);
  chmodSync(folder, 0o700);
});

test("what another program appends meanwhile becomes part of the tree", async () => {
  const file = place();
  await written(file, 2);
  const { journal } = open(file);
  appendFileSync(
    file,
    `${JSON.stringify({ type: "custom", customType: "other", id: "0badcafe", parentId: null, timestamp: "2026-01-01T00:00:00.000Z" })}\n`,
  );
  const own = journal.append(note("mine"));
  expect(journal.tree.has("0badcafe")).toBe(true);
  expect(journal.tree.get(own.id)).toMatchObject({ content: "mine" });
  await journal.close();
  const again = open(file);
  expect(again.journal.tree.get(own.id)).toMatchObject({ content: "mine" });
  expect(again.journal.tree.size).toBe(4);
});

test("what another program appends to a long file of which only the end is known does not lose the place", async () => {
  const file = place();
  const leaf = (await written(file, 60, 100_000)).at(-1);
  const line = (id: string, parentId: string | undefined, more: object) =>
    `${JSON.stringify({ ...more, id, parentId, timestamp: "2026-01-01T00:00:00.000Z" })}\n`;
  appendFileSync(
    file,
    line("c0c0c0c0", leaf, { type: "compaction", summary: "s", firstKeptEntryId: leaf, tokensBefore: 1 }),
  );
  rmSync(`${file}.idx`);
  const { journal } = open(file);
  appendFileSync(file, line("0badcafe", leaf, { type: "custom", customType: "other" }));
  const own = journal.append(note("mine"));
  expect(journal.tree.isWhole).toBe(false);
  expect(journal.tree.size).toBe(63);
  expect(
    journal.tree
      .pathTo()
      .slice(-2)
      .map((entry) => entry.id),
  ).toEqual(["c0c0c0c0", own.id]);
  await journal.close();
});

test("a file that another program cuts short is not written on", async () => {
  const file = place();
  await written(file, 5);
  const faults: string[] = [];
  const { journal } = open(file, "write", faults);
  journal.append(note("a"));
  truncateSync(file, 100);
  journal.append(note("b"));
  expect(faults.join()).toContain("cut by another program");
  expect(readFileSync(file).length).toBe(100);
});

test("a long file without an index opens from its end, and knows the whole when it is asked for", async () => {
  const file = place();
  const journal = create(file);
  const first = journal.append(note("the very first"));
  journal.append({ type: "custom", customType: "shop.early", data: "before" });
  for (let round = 0; round < 60; round++) journal.append(note("x".repeat(100_000)));
  const kept = journal.append(note("kept"));
  journal.append({ type: "compaction", summary: "so far", firstKeptEntryId: kept.id, tokensBefore: 1 });
  journal.append({ type: "custom", customType: "pith.inbox", data: { when: "after", text: "later" } });
  const dropped = journal.append({ type: "custom", customType: "pith.inbox", data: { when: "after", text: "not" } });
  journal.append({ type: "custom", customType: "pith.withdrawn", data: { inbox: dropped.id } });
  journal.append({ type: "custom", customType: "shop.late", data: "after" });
  await journal.close();
  rmSync(`${file}.idx`);
  const opened = open(file);
  expect(opened.journal.tree.isWhole).toBe(false);
  expect(opened.journal.tree.lastCustom("shop.late")?.data).toBe("after");
  expect(opened.journal.tree.lastCustom("shop.early")).toBeUndefined();
  expect(opened.journal.tree.isWhole).toBe(false);
  expect(
    new Context(opened.journal).messages.map((message) =>
      typeof message.content === "string" ? message.content.length : 0,
    ),
  ).toEqual([expect.any(Number) as unknown as number, 4]);
  expect(opened.journal.tree.queued()).toHaveLength(1);
  const added = opened.journal.append(note("new"));
  expect(added.id).toHaveLength(16);
  expect(opened.journal.tree.isWhole).toBe(false);
  expect(opened.journal.tree.get(first.id)).toMatchObject({ content: "the very first" });
  expect(opened.journal.tree.isWhole).toBe(true);
  expect(opened.journal.tree.leaf).toBe(added.id);
  expect(opened.journal.tree.pathTo()).toHaveLength(69);
  expect(opened.journal.tree.lastCustom("shop.early")?.data).toBe("before");
  expect(opened.journal.tree.queued()).toHaveLength(1);
  await opened.journal.close();
  expect(open(file).journal.tree.get(added.id)).toMatchObject({ content: "new" });
});

test("a long file without an index gets one in the pauses of the work", async () => {
  const file = place();
  await written(file, 60, 100_000);
  const text = readFileSync(file, "utf8");
  const leaf = JSON.parse(text.trim().split("\n").at(-1) ?? "").id;
  appendFileSync(
    file,
    `${JSON.stringify({ type: "compaction", id: "c0c0c0c0", parentId: leaf, timestamp: "2026-01-01T00:00:00.000Z", summary: "s", firstKeptEntryId: leaf, tokensBefore: 1 })}\n`,
  );
  rmSync(`${file}.idx`);
  const { journal } = open(file);
  expect(journal.tree.isWhole).toBe(false);
  await journal.sync();
  await until(() => journal.tree.isWhole, "the whole tree");
  expect(journal.tree.isWhole).toBe(true);
  expect(existsSync(`${file}.idx`)).toBe(true);
  await journal.close();
});

test("a file that is something else is refused and left alone", async () => {
  for (const text of [
    '{"name":"x"}\n{"a":1}\n',
    "# a page\n\nof text\n",
    "[1,2]\n",
    '{"type":"session","version":9,"id":"x"}\n',
  ]) {
    const file = place();
    mkdirSync(join(file, ".."));
    writeFileSync(file, text);
    expect(Journal.open({ storage: fileStorage(file), clock, onFault: () => {} })).toMatchObject({
      ok: false,
      kind: "foreign",
    });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(existsSync(`${file}.lock`)).toBe(false);
  }
});
