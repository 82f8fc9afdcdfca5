import { expect, test } from "bun:test";
import fc from "fast-check";
import { type StreamEvent, taskComplete } from "../message/stream.ts";
import { joined } from "../test/fixture.ts";
import { CompletionReader } from "./completion.ts";

const word = "[TASK_COMPLETE]";
const stop: StreamEvent = { type: "stop", reason: "stop", raw: "stop" };

function hear(type: "text" | "thinking", ...deltas: string[]) {
  const reader = new CompletionReader(word, "ollama-chat");
  const events = [...deltas.flatMap((delta) => reader.read([{ type, index: 0, delta }])), ...reader.read([stop])];
  const end = events.at(-1);
  return { said: joined(events, type), done: end?.type === "stop" && end.raw === taskComplete };
}

const cases: readonly [what: string, text: string, shown: string, done: boolean][] = [
  ["at the end", "All is done.\n\n[TASK_COMPLETE]", "All is done.", true],
  ["alone", "[TASK_COMPLETE]", "", true],
  ["in other letters, with a line behind it", "Done [task_complete]\n", "Done", true],
  ["between marks", "Done.\n**[TASK_COMPLETE]**\n", "Done.", true],
  ["between quotes of code", "Done. `[TASK_COMPLETE]`.", "Done..", true],
  ["behind a fence", "```js\nx\n```\n[TASK_COMPLETE]", "```js\nx\n```", true],
  ["inside a fence", "```\n[TASK_COMPLETE]\n```", "```\n[TASK_COMPLETE]\n```", false],
  ["inside a fence that ends the text", "See:\n~~~\n[TASK_COMPLETE]", "See:\n~~~\n[TASK_COMPLETE]", false],
  ["before other words", "I say [TASK_COMPLETE] when I am done.", "I say when I am done.", false],
  ["twice, of which the last counts", "[TASK_COMPLETE] no, not yet. [TASK_COMPLETE]", " no, not yet.", true],
  ["cut off", "Done. [TASK_COM", "Done.", false],
  ["not at all", "a[0] and [b], **bold** and `code` ", "a[0] and [b], **bold** and `code` ", false],
];

test.each(cases)("the word %s is heard and never seen, whatever pieces it comes in", (_, text, shown, done) => {
  for (const type of ["text", "thinking"] as const) {
    expect(hear(type, text)).toEqual({ said: shown, done });
    expect(hear(type, ...text)).toEqual({ said: shown, done });
  }
});

test("an answer says the same in whatever pieces it comes", () => {
  const scraps = [word, "[", "[TASK", "]", "\n", "```", "word ", "**", "`", " ", "~~~\n", "."];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...scraps), { maxLength: 10 }), (bits) => {
      const text = bits.join("");
      expect(hear("text", ...text)).toEqual(hear("text", text));
    }),
    { numRuns: 500 },
  );
});

test("an answer with a call is not the end, whatever it says", () => {
  const reader = new CompletionReader(word, "ollama-chat");
  const call: StreamEvent = { type: "call", index: 1, id: "a", name: "read" };
  const end: StreamEvent = { type: "stop", reason: "toolUse", raw: "tool_calls" };
  expect(reader.read([{ type: "text", index: 0, delta: word }, call, end])).toEqual([call, end]);
});

test("a thought that ends with it is an end, with or without words behind it", () => {
  const reader = new CompletionReader(word, "ollama-chat");
  const thought: StreamEvent = { type: "thinking", index: 0, delta: `It works. ${word}` };
  expect(reader.read([thought, { type: "text", index: 1, delta: "Done." }, stop]).at(-1)).toEqual({
    ...stop,
    raw: taskComplete,
  });
});

test.each(["anthropic-messages", "bedrock-converse-stream", "google-generative-ai", "google-vertex"])(
  "a thought that %s may have signed is sent back as it came, and its word is heard",
  (api) => {
    const reader = new CompletionReader(word, api);
    const thoughts = [...`Say ${word} then. ${word} `].map(
      (delta): StreamEvent => ({ type: "thinking", index: 0, delta }),
    );
    const signature: StreamEvent = { type: "signature", index: 0, signature: "sig" };
    const text: StreamEvent = { type: "text", index: 1, delta: `Done. ${word}` };
    const events = reader.read([...thoughts, signature, text, stop]);
    expect(events.slice(0, thoughts.length + 1)).toEqual([...thoughts, signature]);
    expect([joined(events, "text"), events.at(-1)]).toEqual(["Done.", { ...stop, raw: taskComplete }]);
  },
);
