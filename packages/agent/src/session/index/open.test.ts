import { afterAll, expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { until } from "@pith/kit/test";
import { clock, create, line, newFiles, note, open, written } from "../../test/session-file.ts";
import { Context } from "../context.ts";
import { Journal } from "../journal.ts";
import { memoryStorage, type Storage } from "../store/storage.ts";
import { rowBytes } from "./rows.ts";

const newFile = newFiles(afterAll);

/** Random but the same in every run. */
function* chance(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    yield state / 0x80000000;
  }
}

test("a file cut at any byte, its index left as it was, opens with every entry before the cut", async () => {
  const file = newFile();
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

/** More by hand: `PITH_CUTS=10000 bun test session/index/open`. */
const cuts = Number(process.env.PITH_CUTS ?? 150);

test("a long file cut at random places opens with the entries before the cut", async () => {
  const file = newFile();
  const ids = await written(file, 3000, 400);
  const bytes = readFileSync(file);
  const ends = [...bytes.toString("latin1").matchAll(/\n/g)].map((newline) => newline.index);
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
  const file = newFile();
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
  const file = newFile();
  const ids = await written(file, 20);
  appendFileSync(file, line("f0f0f0f0", ids.at(-1), { type: "custom", customType: "pi" }));
  const longer = open(file);
  expect(longer.journal.tree.leaf).toBe("f0f0f0f0");
  await longer.journal.close();
  const other = newFile();
  const others = await written(other, 40);
  writeFileSync(file, readFileSync(other));
  const replaced = open(file);
  expect(replaced.journal.tree.pathTo().map((entry) => entry.id)).toEqual(others);
  await replaced.journal.close();
});

test("a long file without an index opens from its end, and knows the whole when it is asked for", async () => {
  const file = newFile();
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
  const file = newFile();
  await written(file, 60, 100_000);
  const text = readFileSync(file, "utf8");
  const leaf = JSON.parse(text.trim().split("\n").at(-1) ?? "").id;
  const kept = { summary: "s", firstKeptEntryId: leaf, tokensBefore: 1 };
  appendFileSync(file, line("c0c0c0c0", leaf, { type: "compaction", ...kept }));
  rmSync(`${file}.idx`);
  const { journal } = open(file);
  expect(journal.tree.isWhole).toBe(false);
  await journal.sync();
  await until(() => journal.tree.isWhole, "the whole tree");
  expect(journal.tree.isWhole).toBe(true);
  expect(existsSync(`${file}.idx`)).toBe(true);
  await journal.close();
});

/** A storage with an index beside, whose bytes a test can change. */
function withIndex(): Storage & { index: Buffer } {
  const kept = { index: Buffer.alloc(0) };
  const side = {
    read: () => (kept.index.length > 0 ? kept.index : undefined),
    write: (bytes: Uint8Array, at: number) => {
      kept.index = Buffer.concat([kept.index.subarray(0, at), bytes]);
    },
  };
  return Object.assign(kept, memoryStorage(), { side });
}
const parts = { clock, onFault: () => {} };

function reopened(storage: Storage): Journal {
  const opened = Journal.open({ ...parts, storage });
  if (!opened.ok) throw new Error(opened.message);
  return opened.value.journal;
}

test("an index of an earlier form is not believed but built again", async () => {
  const storage = withIndex();
  const journal = Journal.create({ ...parts, storage: () => storage }, { cwd: "/" });
  journal.append({ type: "custom", customType: "shop.cart", data: 1 });
  journal.append({ type: "custom", customType: "pith.todo", data: 2 });
  await journal.close();
  const fresh = Buffer.from(storage.index);
  // As the last form was: rows of the same length without names, and another list of codes.
  const old = Buffer.from(fresh);
  old.write("pithidx2");
  for (let row = 0; row < 2; row++) old.writeUInt32LE(0x100 | 15, 8 + row * rowBytes + 24);
  storage.index = old;
  const again = reopened(storage);
  expect(again.tree.lastCustom("pith.todo")?.data).toBe(2);
  expect(again.tree.lastCustom("shop.cart")?.data).toBe(1);
  await again.close();
  expect(storage.index.equals(fresh)).toBe(true);
});

test("names are told by the index alone, without reading what stands between", async () => {
  const storage = withIndex();
  const journal = Journal.create({ ...parts, storage: () => storage }, { cwd: "/" });
  journal.append({ type: "custom", customType: "shop.cart", data: 1 });
  for (let at = 0; at < 100; at++) journal.append({ type: "custom", customType: `other.${at}`, data: at });
  await journal.close();
  let reads = 0;
  const counting: Storage = {
    ...storage,
    read: (from, to) => {
      reads++;
      return storage.read(from, to);
    },
  };
  const { tree } = reopened(counting);
  reads = 0;
  expect(tree.lastCustom("shop.cart")?.data).toBe(1);
  expect(tree.lastCustom("shop.bill")).toBeUndefined();
  expect(reads).toBe(1);
});
