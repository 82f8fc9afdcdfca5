import { expect, test } from "bun:test";
import { callId } from "./call-id.ts";

test("an id that must change never becomes that of another call", () => {
  const rule = { valid: /^[a-zA-Z0-9]{9}$/, unfit: /[^a-zA-Z0-9]/g, length: 9 };
  const ids = Array.from({ length: 20_000 }, (_, i) => callId(`call_${i}`, rule));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(rule.valid);
  expect(callId("abcdefghi|fc_1", rule)).toBe("abcdefghi");
});
