import { describe, expect, test } from "bun:test";
import { cpuSince } from "@pith/kit/test";
import fc from "fast-check";
import type { StreamEvent } from "../../message/stream.ts";
import { folded, joined, model } from "../../test/fixture.ts";
import { writers } from "../../test/written.ts";
import { TextCallReader } from "./reader.ts";

const tools = ["read", "write"].map((name) => ({ name, description: "", parameters: {} }));
const stop: StreamEvent = { type: "stop", reason: "stop" };

function read(...events: StreamEvent[]): StreamEvent[] {
  let made = 0;
  const reader = new TextCallReader(tools, undefined, () => `made${++made}`);
  return events.flatMap((event) => reader.read([event]));
}
const say = (...deltas: string[]): StreamEvent[] => deltas.map((delta) => ({ type: "text", index: 0, delta }));
const said = (events: readonly StreamEvent[]) => ({
  text: joined(events, "text").trim(),
  thinking: joined(events, "thinking"),
  calls: folded(events, model).content.flatMap((part) => (part.type === "toolCall" ? [part.name] : [])),
  end: events.at(-1),
});

const answers: readonly [string, ReturnType<typeof said>][] = [
  [
    "plain words, 1 < 2, a[0], {x}, `code`\n",
    { text: "plain words, 1 < 2, a[0], {x}, `code`", thinking: "", calls: [], end: stop },
  ],
  [
    'I look.\n<tool_call>{"name":"read","arguments":{"path":"ä"}}</tool_call>',
    { text: "I look.", thinking: "", calls: ["read"], end: { ...stop, reason: "toolUse" } },
  ],
  [
    '[TOOL_CALLS][{"name":"read","arguments":{}},{"name":"write","arguments":{}}]',
    { text: "", thinking: "", calls: ["read", "write"], end: { ...stop, reason: "toolUse" } },
  ],
  [
    'Sure:\n```json\n{"name":"read","arguments":{"path":"a"}}\n```\n',
    { text: "Sure:", thinking: "", calls: ["read"], end: { ...stop, reason: "toolUse" } },
  ],
  [
    'Put this in:\n```json\n{"name":"my-app"}\n```\nDone.',
    { text: 'Put this in:\n```json\n{"name":"my-app"}\n```\nDone.', thinking: "", calls: [], end: stop },
  ],
  [
    "```ts\nconst a = { b: 1 };\n```\nand <b>html</b> [link]",
    { text: "```ts\nconst a = { b: 1 };\n```\nand <b>html</b> [link]", thinking: "", calls: [], end: stop },
  ],
  ["<think>hm, {x}</think>\n\nYes.", { text: "Yes.", thinking: "hm, {x}", calls: [], end: stop }],
  ["[THINK]hm [1][/THINK]Yes.", { text: "Yes.", thinking: "hm [1]", calls: [], end: stop }],
  [
    "<|channel|>analysis<|message|>hm < x<|end|><|start|>assistant<|channel|>final<|message|>Yes.",
    { text: "Yes.", thinking: "hm < x", calls: [], end: stop },
  ],
  [
    'Yes:\n{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"read","arguments":"{}"}}]}',
    { text: "Yes:", thinking: "", calls: ["read"], end: { ...stop, reason: "toolUse" } },
  ],
  [
    "to be fair, a call\nfunction, Action: and\ncommentary are words\n",
    { text: "to be fair, a call\nfunction, Action: and\ncommentary are words", thinking: "", calls: [], end: stop },
  ],
  ...Object.values(writers).map((write): [string, ReturnType<typeof said>] => [
    `So:\n${write("write", { path: "a", content: "a <b> [c] {d}" })}`,
    { text: "So:", thinking: "", calls: ["write"], end: { ...stop, reason: "toolUse" } },
  ]),
];

test.each(answers)("%j reads the same however it is split", (text, expected) => {
  expect(said(read(...say(text), stop))).toEqual(expected);
  expect(said(read(...say(...text), stop))).toEqual(expected);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 12 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), text.length];
      const parts = at.slice(1).map((end, i) => text.slice(at[i], end));
      expect(said(read(...say(...parts.filter((part) => part !== "")), stop))).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

describe("while it streams", () => {
  test("text is shown up to where a call may begin, and no further", () => {
    const reader = new TextCallReader(tools);
    const shown = (delta: string) => joined(reader.read(say(delta)), "text");
    expect(shown("text <tool_")).toBe("text ");
    expect(shown("kit> is fine\n")).toBe("<tool_kit> is fine\n");
    expect(shown('{"na')).toBe("");
    expect(shown('tion": 1}\n')).toBe('{"nation": 1}\n');
    expect(shown('{"name": "read", ')).toBe("");
    expect(shown('"arguments": {}} tail')).toBe("");
  });

  test("a thought between tags is shown as one at once", () => {
    const reader = new TextCallReader(tools);
    const shown = (delta: string) => joined(reader.read(say(delta)), "thinking");
    expect([shown("<thi"), shown("nk>\n hm "), shown("a < b</th"), shown("ink>"), shown(" so")]).toEqual([
      "",
      "hm ",
      "a < b",
      "",
      "",
    ]);
  });

  test("plain text is shown at once", () => {
    const reader = new TextCallReader(tools);
    for (const delta of ["Hello", " wor", "ld.\n", "More"]) expect(joined(reader.read(say(delta)), "text")).toBe(delta);
  });
});

describe("thinking", () => {
  const thought: StreamEvent = { type: "thinking", index: 0, delta: "The file must be read before it is changed." };

  test("that is said again at the start of the answer is not shown twice", () => {
    const events = read(
      thought,
      { type: "text", index: 1, delta: "The file must be read" },
      { type: "text", index: 1, delta: " before it is changed.\n\nDone." },
      stop,
    );
    expect(said(events)).toMatchObject({ text: "Done.", thinking: "The file must be read before it is changed." });
  });

  test("that only looks like the answer takes nothing from it", () => {
    expect(said(read(thought, { type: "text", index: 1, delta: "The file must be written." }, stop)).text).toBe(
      "The file must be written.",
    );
  });

  test("without its closing tag is a thought still", () => {
    expect(said(read(...say("<think>and so on"), { ...stop, reason: "length" } as StreamEvent))).toMatchObject({
      text: "",
      thinking: "and so on",
    });
  });
});

test("a model that calls natively is heard as it is, whatever stands in its text", () => {
  const events: StreamEvent[] = [
    { type: "call", index: 0, id: "c", name: "read" },
    { type: "args", index: 0, delta: "{}" },
    { type: "text", index: 1, delta: '<tool_call>{"name":"write","arguments":{}}</tool_call>' },
    { type: "stop", reason: "toolUse" },
  ];
  expect(read(...events)).toEqual(events);
});

test("an answer that was cut shows nothing of the call it was cut in, and gives none", () => {
  const events = read(...say('I look.\n<tool_call>{"name":"write","arguments":{"path"'), {
    type: "fail",
    failure: { kind: "cut", message: "cut" },
  });
  expect(said(events)).toMatchObject({ text: "I look.", calls: [] });
});

describe("a text that is made to be read for ever is read at once", () => {
  const size = 500_000;
  test.each<[string, string[]]>([
    ["blank lines", [`${"\n".repeat(size)}{x`]],
    ["calls that never end", ["<tool_call>{".repeat(size / 12)]],
    ["parameters that never end", [`<function=a>${"<parameter=a>".repeat(size / 13)}</function>`]],
    ["a fence with nothing in it", Array.from({ length: size }, (_, at) => (at === 0 ? "a\n```\n" : " "))],
    ["space", Array.from({ length: size }, () => " ")],
    ["ends of turns", Array.from({ length: size / 7 }, () => "<|end|>")],
    ["examples in fences", ['```\n{"name":"read","arguments":{}}\n```\nwords\n'.repeat(size / 46)]],
    ["calls in a fence", [`\`\`\`\n${'<tool_call>{"name":"read","arguments":{}}</tool_call>\n'.repeat(size / 52)}`]],
    ["a list that never ends", [`<|python_tag|>read(a=${"[".repeat(size)}`]],
  ])("%s", (_, texts) => {
    const reader = new TextCallReader(tools);
    const before = process.cpuUsage();
    for (const delta of texts) reader.read([{ type: "text", index: 0, delta }]);
    reader.read([{ type: "stop", reason: "stop" }]);
    expect(cpuSince(before)).toBeLessThan(3000);
  });
});

test.each(["[TOOL_CALLS]", "<tool_call>"])(
  "calls without number behind %s are as few as those of any reply",
  (mark) => {
    const delta = mark + `{"name":"read"}${mark === "[TOOL_CALLS]" ? "," : mark}`.repeat(5000);
    const events = read({ type: "text", index: 0, delta }, stop);
    expect(events.filter(({ type }) => type === "call").length).toBeLessThanOrEqual(1000);
  },
);

describe("a call that only shows how one is written is not made", () => {
  const call = '<tool_call>\n{"name":"write","arguments":{"path":"a","content":"b"}}\n</tool_call>';
  test.each([
    ["in a fence, with words behind it", `You write:\n\n\`\`\`xml\n${call}\n\`\`\`\nThat is all.`],
    ["between ticks", `It says \`${call.replaceAll("\n", "")}\` and stops.`],
    ["in a quote", `> ${call.replaceAll("\n", "")}\n\nThat was in the log.`],
    ["in a thought between words", `I see. <think>Perhaps ${call}</think> No.`],
    ["in a fence whose lines end in CRLF", `You write:\r\n\r\n\`\`\`xml\r\n${call}\r\n\`\`\`\r\nThat is all.`],
    ["in a fence that nothing ends, with words behind it", `You write:\n\`\`\`\n${call}\nThat is all.`],
    ["in a fence of tildes", `You write:\n~~~\n${call}\n~~~\nThat is all.`],
    ["in a fence inside a fence", `You write:\n\`\`\`\`\n\`\`\`\n${call}\n\`\`\`\n\`\`\`\`\nThat is all.`],
    ["twice in one fence", `You write:\n\`\`\`\n${call}\n${call}\n\`\`\`\nThat is all.`],
    ["as code by its place", `You write:\n\n    ${call.replaceAll("\n", "")}\n\nThat is all.`],
    ["without marks", `You write:\n\`\`\`json\n{"name":"write","arguments":{"path":"a"}}\n\`\`\`\nThat is all.`],
  ])("%s", (_, text) => {
    for (const size of [1, 7, text.length]) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(said(read(...say(...pieces), stop))).toEqual({ text, thinking: "", calls: [], end: stop });
    }
  });

  test("but one that ends its answer is made, fence or not", () => {
    for (const text of [`So:\n\`\`\`xml\n${call}\n\`\`\``, `\`\`\`ts\nlet a;\n\`\`\`\n${call}\nI wait.`])
      expect(said(read(...say(...text), stop)).calls).toEqual(["write"]);
    const fenced = `\`\`\`\n${call}\n\`\`\``;
    expect(said(read(...say(`${fenced}\n${fenced}`), stop)).calls).toEqual(["write", "write"]);
  });

  test("nor one in a fence that the end of the answer has cut", () => {
    const text = `You write:\n\`\`\`\n${call}\n`;
    expect(said(read(...say(...text), { ...stop, reason: "length" } as StreamEvent)).calls).toEqual([]);
  });
});

describe("marks that templates put around an answer are not shown", () => {
  test.each([
    ["It works.<|return|>", "It works."],
    ["It works.</s>", "It works."],
    ["<|START_RESPONSE|>It works.<|END_RESPONSE|><|END_OF_TURN_TOKEN|>", "It works."],
    ["It works.<｜end▁of▁sentence｜>\n", "It works."],
    [
      "<|channel|>commentary<|message|>First.<|end|><|start|>assistant<|channel|>final<|message|>Then.",
      "First.\nThen.",
    ],
    ["The mark <|im_end|> ends a turn.", "The mark <|im_end|> ends a turn."],
    ["<b>bold</b> </s> and on", "<b>bold</b> </s> and on"],
  ])("%j", (text, shown) => {
    for (const pieces of [[text], [...text]]) expect(said(read(...say(...pieces), stop)).text).toBe(shown);
  });
});

describe("a model that makes up what its calls bring", () => {
  const call = '<tool_call>\n{"name":"read","arguments":{"path":"a"}}\n</tool_call>';
  const next = '<tool_call>\n{"name":"write","arguments":{"path":"a","content":"b"}}\n</tool_call>';
  test.each([
    `${call}\n<tool_response>\n{"text": "hello"}\n</tool_response>\nIt says hello.\n${next}`,
    `[TOOL_CALLS][{"name":"read","arguments":{"path":"a"}}][TOOL_RESULTS]hello[/TOOL_RESULTS]\n${next}`,
    `${call}<|im_end|>\n<|im_start|>user\nThanks, now write it.<|im_end|>\n<|im_start|>assistant\n${next}`,
    `<|channel|>commentary to=functions.read<|message|>{"path":"a"}<|call|><|start|>functions.read to=assistant<|channel|>commentary<|message|>hello<|end|>\n${next}`,
  ])("%j runs nothing that it based on that", (text) => {
    for (const pieces of [[text], [...text]]) {
      const heard = said(read(...say(...pieces), stop));
      expect(heard.calls).toEqual(["read"]);
      expect(heard.text).not.toContain("hello");
      expect(heard.text).toContain("left out");
    }
  });
});
