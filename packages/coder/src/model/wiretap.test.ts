import { expect, test } from "bun:test";
import { openWiretap } from "./wiretap.ts";

const at = Date.UTC(2026, 0, 1, 12, 34, 56);
const heard = (text: string, secrets: string[] = [], whole = true) => {
  const exchange = { time: at, head: "200 https://x/chat", secrets };
  const tap = { captures: () => [{ exchange, bytes: new TextEncoder().encode(text), whole }], listen: () => undefined };
  return openWiretap(tap as never, (text) => text.replaceAll("hunter22", "[[secret]]")).events();
};

test("what a server said is shown event by event, and without the keys that it was asked with", () => {
  expect(heard('event: a\ndata: {"x":1}\r\n\r\ndata: key-of-mine-1 hunter22\n\n', ["key-of-mine-1", "x"])).toEqual([
    ": 12:34:56 200 https://x/chat",
    'event: a\ndata: {"x":1}',
    "data: [removed] [[secret]]",
  ]);
  expect(heard('{"a":1}\n{"b":2}\n').slice(1)).toEqual(['{"a":1}', '{"b":2}']);
});

test("a thousand events, half a million characters and 64,000 of one are enough, and what is left out is said", () => {
  const many = heard(Array.from({ length: 3000 }, (_, i) => `data: ${i}`).join("\n\n"));
  expect([many.length, many.at(-1)]).toEqual([1000, "data: 2999"]);
  const [, long = ""] = heard(`data: ${"x".repeat(100_000)}\n\n`);
  expect(long.slice(64_000)).toBe("\n: pith-debug-truncated 36006 characters");
  const wide = heard(Array.from({ length: 20 }, () => "x".repeat(63_000)).join("\n\n"));
  expect(wide.reduce((sum, event) => sum + event.length, 0)).toBeLessThanOrEqual(512_000);
  expect(heard("ta: end\n\ndata: next", [], false).slice(1, 3)).toEqual([
    ": pith-debug-truncated what came before",
    "ta: end",
  ]);
});
