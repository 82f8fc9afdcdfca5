import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { AssistantMessage, Image, Message, Text } from "../message/message.ts";
import type { Request, Stream } from "../message/stream.ts";
import { ask, reply, result, user } from "../test/fixture.ts";
import { findOffenders } from "./bisect.ts";
import { Healer, type Healing } from "./healing.ts";
import { historyBlocks, without } from "./mask.ts";

const png = (await new Bun.Image(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
)
  .resize(4, 4)
  .png()
  .bytes()) as Uint8Array;
const picture: Image = { type: "image", mimeType: "image/png", data: Buffer.from(png).toString("base64") };
const text = (value: string): Text => ({ type: "text", text: value });
const call = (id: string, name = "read") => ({ type: "toolCall" as const, id, name, arguments: { path: "x" } });

type Part = Exclude<Message["content"], string>[number];

/** First rule of any vendor that a history breaks. */
const refusal = (messages: readonly Message[]): string | undefined =>
  outOfOrder(messages) ?? messages.flatMap(partsOf).map(unfit).find(Boolean);

const partsOf = ({ content }: Message): readonly Part[] => (typeof content === "string" ? [text(content)] : content);

function outOfOrder(messages: readonly Message[]): string | undefined {
  let open: string[] = [];
  let last: string | undefined;
  for (const message of messages) {
    // Every encoder has a word for a result without output.
    if (partsOf(message).length === 0 && message.role !== "toolResult") return "an empty message";
    if (last === undefined && message.role !== "user") return "a history that does not begin with a person";
    if (message.role === "toolResult") {
      if (!open.includes(message.toolCallId)) return "a result without a call";
      open = open.filter((id) => id !== message.toolCallId);
    } else if (open.length > 0) return "a call without a result";
    else if (message.role === last) return "roles that do not alternate";
    if (message.role === "assistant")
      open = message.content.flatMap((part) => (part.type === "toolCall" ? [part.id] : []));
    if (new Set(open).size < open.length) return "one id for two calls";
    last = message.role;
  }
  return open.length > 0 ? "a call without a result" : undefined;
}

function unfit(part: Part): string | undefined {
  switch (part.type) {
    case "thinking":
      return "a signature of somebody else";
    case "text":
      return part.text.trim() === "" ? "an empty text" : part.text.includes("poison") ? "poison" : undefined;
    case "image":
      return part.data.endsWith("poison")
        ? "poison"
        : /^(?:iVBOR|\/9j)/.test(part.data)
          ? undefined
          : "an image that is none";
    case "toolCall":
      return part.thoughtSignature ? "a signature of somebody else" : undefined;
  }
}

const strict = (onAsk: () => void = () => {}): Stream =>
  async function* ({ messages }: Request) {
    onAsk();
    const wrong = refusal(messages);
    yield wrong
      ? [{ type: "fail", failure: { kind: "rejected", message: wrong } }]
      : [
          { type: "text", index: 0, delta: "ok" },
          { type: "stop", reason: "stop" },
        ];
  };

const never = new AbortController().signal;
const none: Healing = { rules: true, blocks: [] };

describe("by rule, a server accepts", () => {
  const heal = (messages: Message[]) => new Healer().apply(messages, none);
  test.each<[string, Message[]]>([
    ["a call that was never answered", [user("a"), reply([call("1")]), user("b")]],
    ["a result whose call is gone", [user("a"), result("9", [text("x")]), reply([text("y")])]],
    ["two results of one call", [user("a"), reply([call("1")]), result("1", [text("x")]), result("1", [text("y")])]],
    [
      "one id for two calls",
      [user("a"), reply([call("1"), call("1")]), result("1", [text("x")]), result("1", [text("y")])],
    ],
    [
      "thinking with the signature of another model",
      [user("a"), reply([{ type: "thinking", thinking: "t", thinkingSignature: "s" }, text("x")])],
    ],
    ["prompts in a row, and replies in a row", [user("a"), user("b"), reply([text("x")]), user("c")]],
    ["a history that begins in the middle", [reply([text("x")]), user("a")]],
    ["empty texts and empty messages", [user(""), reply([text(" ")]), user([text("")]), reply([text("x")])]],
    [
      "an image under a wrong name, and one that is none",
      [user([{ ...picture, mimeType: "image/webp" }, { ...picture, data: "AAAA" }, text("?")])],
    ],
  ])("%s", async (_, messages) => {
    const before = structuredClone(messages);
    const healed = await heal(messages);
    expect(refusal(healed)).toBeUndefined();
    expect(messages).toEqual(before);
  });

  test("an image that is too large, made smaller", async () => {
    const large = Buffer.from(await new Bun.Image(png).resize(2600, 30).png().bytes());
    const [message] = await heal([user([{ type: "image", mimeType: "image/png", data: large.toString("base64") }])]);
    const part = message?.content[0] as Image;
    expect(part.mimeType).toBe("image/jpeg");
    expect((await new Bun.Image(Buffer.from(part.data, "base64")).metadata()).width).toBe(2000);
  });
});

test("the same messages are healed to the same objects, so that they are encoded once", async () => {
  const healer = new Healer();
  const messages: Message[] = [user("a"), reply([{ type: "thinking", thinking: "t" }, text("x")]), user("b")];
  const [first, again] = [
    await healer.apply(messages, none),
    await healer.apply([...messages, reply([text("y")])], none),
  ];
  expect(first.every((message, at) => message === again[at])).toBe(true);
});

describe("faults that no rule knows are found by trying", () => {
  const history: Message[] = Array.from({ length: 40 }, (_, at) =>
    at % 2 ? reply([text(`r${at}`), text("more")]) : user([text(`u${at}`), text("more")]),
  );

  test("one block among many, with few requests", async () => {
    history[17] = reply([text("fine"), text("poison")]);
    let asked = 0;
    const offenders = await findOffenders(
      ask(history),
      strict(() => asked++),
      never,
    );
    expect(offenders?.map((block) => block.what)).toEqual(["the text of a reply"]);
    expect(asked).toBeLessThanOrEqual(10);
    expect(refusal(without(history, new Set(offenders?.map((block) => block.key))))).toBeUndefined();
  });

  test("several blocks, and the same ones again after a resume", async () => {
    history[3] = reply([text("poison 3")]);
    history[28] = user([text("poison 28"), text("kept")]);
    const offenders = await findOffenders(ask(history), strict(), never);
    expect(offenders).toHaveLength(3);
    const resumed = JSON.parse(JSON.stringify(history)) as Message[];
    expect(refusal(without(resumed, new Set(offenders?.map((block) => block.key))))).toBeUndefined();
    expect(historyBlocks(resumed)).toEqual(historyBlocks(history));
  });

  test("nothing, when the history is not what is refused, or the server has another trouble", async () => {
    const always: Stream = async function* () {
      yield [{ type: "fail", failure: { kind: "rejected", message: "unknown parameter" } }];
    };
    const busy: Stream = async function* () {
      yield [{ type: "fail", failure: { kind: "overload", message: "busy" } }];
    };
    expect(await findOffenders(ask(history), always, never)).toBeUndefined();
    expect(await findOffenders(ask(history), busy, never)).toBeUndefined();
    const plain: Stream = async function* ({ effort }) {
      yield effort
        ? [{ type: "fail", failure: { kind: "rejected", message: "unsupported parameter" } }]
        : [{ type: "start" }];
    };
    expect(
      await new Healer().cure(ask(history, { effort: "high" }), { rules: false, blocks: [] }, plain, never),
    ).toBeUndefined();
  });
});

test("no history bricks a session: whatever was recorded, rules and then a search make it acceptable", async () => {
  const word = fc.constantFrom("hello", "", " ", "poison", "x");
  const anyText = word.map(text);
  const image = fc.constantFrom<Image>(
    picture,
    { ...picture, data: "AAAA" },
    { ...picture, data: `${picture.data}poison` },
  );
  const id = fc.constantFrom("1", "2", "3", "a|b", "ü");
  const part = fc.oneof(
    anyText,
    word.map((thinking) => ({ type: "thinking" as const, thinking, thinkingSignature: "s" })),
    id.map((callId) => call(callId)),
  );
  const message = fc.oneof(
    fc.array(fc.oneof(anyText, image), { maxLength: 3 }).map((content): Message => user(content)),
    word.map((content): Message => user(content)),
    fc
      .tuple(
        fc.array(part, { maxLength: 4 }),
        fc.constantFrom<AssistantMessage["stopReason"]>("stop", "toolUse", "error", "aborted"),
      )
      .map(([content, stopReason]): Message => reply(content, { stopReason })),
    fc
      .tuple(id, fc.array(fc.oneof(anyText, image), { maxLength: 2 }))
      .map(([callId, content]): Message => result(callId, content)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 14 }), async (messages) => {
      const healer = new Healer();
      const healing: Healing = { rules: true, blocks: [] };
      const asked: Stream = async function* (request, signal) {
        yield* strict()({ ...request, messages: await healer.apply(request.messages, healing) }, signal);
      };
      const healed = await healer.apply(messages, healing);
      if (refusal(healed) === undefined) return;
      const offenders = await findOffenders(ask(messages), asked, never);
      // More blocks than a search may take away is the only way to fail.
      if (offenders === undefined) expect(historyBlocks(messages).length).toBeGreaterThan(8);
      else expect(refusal(await healer.apply(messages, { rules: true, blocks: offenders }))).toBeUndefined();
    }),
    { numRuns: 300 },
  );
}, 120_000);
