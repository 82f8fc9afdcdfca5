import { expect, test } from "bun:test";
import { headOf, readHead } from "./head.ts";

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
    { type: "custom", ...base, customType: "pith.withdrawn", data: { inbox: "0f0f0f0f" } },
    { type: "custom", ...base, customType: "pith.withdrawn" },
    { type: "custom", ...base, customType: "shop cart/1" },
    { type: "custom", ...base, customType: 'a "quoted" \\ name' },
    { type: "custom", ...base, customType: "wörter" },
    { type: "custom", ...base, customType: "long".repeat(200) },
    { type: "custom", ...base, customType: "" },
    { type: "custom", ...base, customType: 7 },
    { type: "custom_message", ...base, customType: "hint", content: "x", display: true },
    { ...base, type: "session_info", name: "ä" },
    { type: "from_the_future", ...base, id: "ünïcode" },
  ];
  for (const entry of entries) expect(readHead(Buffer.from(JSON.stringify(entry)))).toEqual(headOf(entry));
  for (const line of ["", "{", "[]", '{"type":"message"}', '{"type":"message","id":7}', "\0\0\0"])
    expect(readHead(Buffer.from(line))).toBeUndefined();
});

test("an entry that takes input back names it, and every custom entry tells its name", () => {
  const base = { id: "0a0b0c0d", parentId: null, timestamp: "2026-01-01T00:00:00.000Z" };
  const head = (entry: object) => readHead(Buffer.from(JSON.stringify({ type: "custom", ...base, ...entry })));
  expect(head({ customType: "pith.withdrawn", data: { inbox: "0f0f0f0f" } })).toMatchObject({
    code: "pith.withdrawn",
    refId: "0f0f0f0f",
  });
  // A similar entry of another program names nothing.
  expect(head({ customType: "shop.withdrawn", data: { inbox: "0f0f0f0f" } })?.refId).toBeUndefined();
  expect(head({ customType: "wörter" })).toMatchObject({ code: "custom", name: "wörter" });
  expect(head({ type: "custom_message", customType: "hint" })).toMatchObject({ code: "custom_message", name: "hint" });
  expect(head({ customType: ["x"] })).toMatchObject({ code: "custom", name: "unknown" });
});
