import { expect, test } from "bun:test";
import fc from "fast-check";
import { doneWord as word } from "./nudge.ts";
import { packetText } from "./packet.ts";

const told: Parameters<typeof packetText>[0] = {
  state: "need_tools",
  iteration: 3,
  most: 50,
  filesChanged: 1,
  note: "The results stand above.",
  task: "mend the parser",
  memory: ["1 file read", "read a.ts"],
  word,
};

test("a packet holds the state of the turn, the memory, the task, and how to end", () => {
  const { text, told: count } = packetText(told);
  const control = JSON.parse(/^<agent_control>(.*)<\/agent_control>$/m.exec(text)?.[1] ?? "");
  expect(control).toEqual({
    state: "need_tools",
    iteration: 3,
    maxIterations: 50,
    remainingIterations: 47,
    filesChanged: 1,
    note: "The results stand above.",
  });
  expect(text).toContain(
    "<session_memory>1 file read; read a.ts</session_memory>\n## Task Reference\nmend the parser\n",
  );
  expect(text).toEndWith(`answer with ${word} when all of it is done.`);
  expect(count).toBe(2);
});

test("a packet holds the first 120 characters of a long task, and only limits that are set", () => {
  const { text } = packetText({ ...told, task: "x".repeat(500), most: undefined });
  expect(/x+…/.exec(text)?.[0]).toHaveLength(120);
  expect(text).not.toContain("Iterations");
});

test("a packet stays under 500 bytes, whatever its content", () => {
  const words = fc.string({ unit: "grapheme", maxLength: 600 });
  fc.assert(
    fc.property(words, words, fc.array(words, { maxLength: 50 }), fc.nat(), (task, note, memory, iteration) => {
      const { text, told: count } = packetText({ ...told, task, note, memory, iteration });
      expect(Buffer.byteLength(text)).toBeLessThan(500);
      expect(text.isWellFormed()).toBe(true);
      expect(count).toBeLessThanOrEqual(memory.length);
    }),
  );
});
