import { expect, test } from "bun:test";
import { Journal } from "../journal.ts";
import { memoryStorage, type Storage } from "../store/storage.ts";
import { rowBytes } from "./rows.ts";

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
const parts = { clock: { now: () => 0 }, onFault: () => {} };

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
