import { expect, test } from "bun:test";
import { headOf, readHead } from "./head.ts";
import { none, Rows, unknown } from "./rows.ts";
import { linesOf } from "./scan.ts";

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

test("the head of a line is what the whole line says, whoever wrote it", () => {
  const base = { id: "0a0b0c0d", parentId: "01020304", timestamp: "2026-01-01T00:00:00.000Z" };
  const entries = [
    { type: "message", ...base, message: { role: "user", content: 'with ,"inbox":"ffffffff"}' } },
    { type: "message", ...base, message: { role: "user", content: "x" }, inbox: "0f0f0f0f" },
    { type: "message", ...base, parentId: null, message: { role: "assistant", content: [] } },
    { type: "message", ...base, message: { content: [], role: "toolResult" } },
    { type: "compaction", ...base, summary: "x".repeat(500), firstKeptEntryId: "0f0f0f0f", tokensBefore: 0 },
    { type: "label", ...base, targetId: "0f0f0f0f" },
    { type: "custom", customType: "pith.inbox", data: {}, ...base },
    { type: "custom", ...base, customType: "pith.prompt", data: {} },
    { type: "custom", ...base, customType: "label" },
    { ...base, type: "session_info", name: "ä" },
    { type: "from_the_future", ...base, id: "ünïcode" },
  ];
  for (const entry of entries) expect(readHead(Buffer.from(JSON.stringify(entry)))).toEqual(headOf(entry));
  for (const line of ["", "{", "[]", '{"type":"message"}', '{"type":"message","id":7}', "\0\0\0"])
    expect(readHead(Buffer.from(line))).toBeUndefined();
});

test("lines are cut wherever the parts of a file begin, and one that is endless is not held", () => {
  const short = "abc\n\ndef\r\n";
  const long = "x".repeat(5 << 20);
  const bytes = Buffer.from(`${short}${long}\nlast`);
  const read = (from: number, to: number) => bytes.subarray(from, to);
  const lines = (longest?: number) =>
    [...linesOf(read, 0, bytes.length, longest)].map((line) => [line.offset, line.bytes.length, line.whole]);
  expect(lines()).toEqual([
    [0, 3, true],
    [4, 0, true],
    [5, 4, true],
    [10, long.length, true],
    [11 + long.length, 4, false],
  ]);
  expect(lines(2 << 20)).toEqual([
    [0, 3, true],
    [4, 0, true],
    [5, 4, true],
    [10, 1, true],
    [11 + long.length, 4, false],
  ]);
});
