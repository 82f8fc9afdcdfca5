import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StreamEvent } from "../../message/stream.ts";
import { dialects } from "../../protocol/text-call/dialect.ts";
import { TextCallReader } from "../../protocol/text-call/reader.ts";
import { folded, model } from "../fixture.ts";
import { type Sample, shelves, tools } from "./corpus.ts";

/** Reads a reply that arrives in these pieces, as a sample of the corpus. */
function heard(pieces: readonly string[], reason: "stop" | "length" = "stop"): Omit<Sample, "reply"> {
  const reader = new TextCallReader(tools);
  const events: StreamEvent[] = pieces.map((delta) => ({ type: "text", index: 0, delta }));
  const read = [...events, { type: "stop", reason } as const].flatMap((event) => reader.read([event]));
  // Invalid JSON is refused when the call is run.
  const whole = read.map((event) => (event.type === "args" && !isJson(event.delta) ? { ...event, delta: "" } : event));
  const { content } = folded(whole, model);
  const thinking = content.flatMap((part) => (part.type === "thinking" ? [part.thinking] : [])).join("");
  return {
    calls: content.flatMap((part) => (part.type === "toolCall" ? [{ name: part.name, args: part.arguments }] : [])),
    text: content.flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part.text.trim()] : [])),
    ...(thinking === "" ? {} : { thinking: thinking.trim() }),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("there are 250 replies and more, no two alike, and 15 or more in every dialect", () => {
  const replies = shelves.flatMap((shelf) => shelf.replies.map(({ reply }) => reply));
  expect(new Set(replies).size).toBe(replies.length);
  expect(replies.length).toBeGreaterThanOrEqual(250);
  for (const { of } of dialects)
    expect([of, (shelves.find((shelf) => shelf.of === of)?.replies.length ?? 0) >= 15]).toEqual([of, true]);
});

describe.each(shelves.map(({ of, replies }) => [of, replies] as const))("%s", (_, replies) => {
  test.each(replies.map((sample) => [sample.reply, sample] as const))(
    "%j is understood, however it is split",
    (...[reply, { reply: __, ...meant }]) => {
      expect(heard([reply])).toEqual(meant);
      expect(heard([...reply])).toEqual(meant);
      fc.assert(
        fc.property(fc.array(fc.nat({ max: reply.length }), { maxLength: 12 }), (cuts) => {
          const at = [0, ...cuts.sort((a, b) => a - b), reply.length];
          const pieces = at.slice(1).map((end, i) => reply.slice(at[i], end));
          expect(heard(pieces.filter((piece) => piece !== ""))).toEqual(meant);
        }),
        { numRuns: 10 },
      );
    },
  );

  test("a reply that was cut anywhere gives no writing call that was not whole", () => {
    for (const { reply, calls } of replies)
      for (let end = 1; end < reply.length; end += 3)
        for (const call of heard([reply.slice(0, end)], "length").calls)
          if (["write", "edit", "bash"].includes(call.name) && Object.keys(call.args).length > 0)
            expect(calls).toContainEqual(call);
  });
});
