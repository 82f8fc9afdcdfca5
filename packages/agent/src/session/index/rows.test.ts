import { expect, test } from "bun:test";
import { none, Rows, unknown } from "./rows.ts";

test("a row keeps places far beyond four gigabytes, and its neighbours", () => {
  const rows = new Rows();
  const far = 3_000 * 2 ** 32 + 12_345;
  for (let at = 0; at < 1000; at++) {
    rows.push({
      offset: far + at * 10,
      length: 9,
      parent: at - 1,
      ref: at % 2 ? none : unknown,
      id: at % 3 ? at.toString(16).padStart(8, "0") : `uuid-${at}`,
      code: at % 2 ? "user" : "label",
    });
  }
  const again = Rows.from(rows.bytes(0));
  expect(again.count).toBe(1000);
  expect([
    again.offset(999),
    again.length(999),
    again.parent(999),
    again.parent(0),
    again.ref(998),
    again.ref(999),
    again.code(999),
  ]).toEqual([far + 9990, 9, 998, none, unknown, none, "user"]);
  expect(again.end).toBe(far + 10_000);
  expect(again.find("000003e6", () => false)).toBe(998);
  expect(again.find("uuid-999", (row) => row === 999)).toBe(999);
  expect(again.find("uuid-999", () => false)).toBe(none);
  expect(again.climb(999, "label")).toBe(998);
  expect(again.isTaken("000003e6")).toBe(true);
  expect(Rows.from(rows.bytes(0).subarray(0, -5)).count).toBe(999);
});

test("a row may have either of two names with the same hash, and no other name", () => {
  const rows = new Rows();
  const push = (name: string, code: "custom" | "custom_message" | "pith.inbox") =>
    rows.push({ offset: 0, length: 1, parent: rows.count - 1, ref: none, id: "ffffffff", code, name });
  push("shop.cart", "custom");
  push("shop.cart", "custom_message");
  push("pith.inbox", "pith.inbox");
  const again = Rows.from(rows.bytes(0));
  expect(again.climb(2, "custom", "shop.cart")).toBe(0);
  expect(again.climb(2, "custom_message", "shop.cart")).toBe(1);
  expect(again.climb(2, "pith.inbox", "pith.inbox")).toBe(2);
  expect(again.climb(2, "custom", "shop.card")).toBe(none);
  expect(again.climb(2, "custom")).toBe(0);
  expect([again.code(0), again.code(2), again.shortId(0), again.isRenamed(0)]).toEqual([
    "custom",
    "pith.inbox",
    "ffffffff",
    false,
  ]);
  expect(again.climb(2, "custom", "shop.nnhk")).toBe(0);
});

test("a remembered climb stays right when the tree forks and grows", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  };
  const rows = new Rows();
  const names: (string | undefined)[] = [];
  const parents: number[] = [];
  let leaf = none;
  for (let at = 0; at < 3000; at++) {
    if (at > 0 && random(100) === 0) leaf = random(at);
    const name = random(150) === 0 ? `part.${random(3)}` : undefined;
    const code = name === undefined ? "user" : "custom";
    names.push(name);
    parents.push(leaf);
    leaf = rows.push({
      offset: at,
      length: 1,
      parent: leaf,
      ref: none,
      id: at.toString(16).padStart(8, "0"),
      code,
      name,
    });
    const wanted = `part.${random(4)}`;
    let plain = leaf;
    while (plain >= 0 && names[plain] !== wanted) plain = parents[plain] ?? none;
    expect(rows.climb(leaf, "custom", wanted)).toBe(plain);
  }
});
