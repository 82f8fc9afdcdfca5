import { expect, test } from "bun:test";
import { loadHealing } from "../heal.ts";
import { collect, folded, user } from "../test/fixture.ts";
import { benches, streamTo } from "../test/lab.ts";
import { serve } from "../test/serve.ts";
import type { Message, SealedMessage } from "./message.ts";
import { sealedItems } from "./sealed.ts";
import type { Request } from "./stream.ts";

const bench = benches["openai-responses"];
if (!bench) throw new Error("no bench");
const { model } = bench;
const scenes = [
  { thinking: "let me look", text: "I look.", calls: [{ id: "call_1", name: "read", args: { path: "a" } }] },
  { text: "Done." },
] as const;
const request = (messages: readonly Message[], more: Partial<Request> = {}): Request => ({
  model,
  purpose: "main",
  system: ["be brief"],
  messages,
  tools: [],
  ...more,
});

test("a strict server sums up for itself, takes that back as it was, and nobody else is sent it", async () => {
  using served = serve(bench.fake, ...scenes);
  const stream = await streamTo(bench, served.url);
  const messages: Message[] = [user("what is this?")];
  const said = async (asked: Request) => folded(await collect(stream, asked), model);
  messages.push(await said(request(messages)));
  const [id = ""] = messages.flatMap((message) =>
    message.role === "assistant" ? message.content.flatMap((part) => (part.type === "toolCall" ? [part.id] : [])) : [],
  );
  messages.push({
    role: "toolResult",
    toolCallId: id,
    toolName: "read",
    content: [{ type: "text", text: "A" }],
    isError: false,
    timestamp: 0,
  });
  messages.push(await said(request(messages)));
  const events = await collect(stream, request(messages, { purpose: "summary", seal: true }));
  const answer = folded(events, model);
  const asked = served.asks.at(-1);
  expect(asked?.url.pathname).toEndWith("/responses/compact");
  expect(Object.keys(asked?.body as object)).toEqual(["model", "instructions", "input"]);
  expect(answer.stopReason).toBe("stop");
  expect(events).toContainEqual({ type: "usage", usage: expect.objectContaining({ totalTokens: 140 }) });
  const items = sealedItems(JSON.parse((answer.content[0] as { textSignature?: string }).textSignature ?? ""));
  expect(items?.map(({ type }) => type)).toEqual(["message", "compaction"]);
  const summary: SealedMessage = {
    ...user("<summary>in words</summary>"),
    sealed: { vendor: "openai", model: model.id, items: items ?? [], text: "kept" },
  };
  const later = [summary, user("go on")];
  expect((await said(request(later))).stopReason).toBe("stop");
  // The sealed summary can be summed up again.
  expect((await said(request(later, { seal: true }))).stopReason).toBe("stop");
  const input = (at: number) => served.asks.at(at)?.raw ?? "";
  expect(input(-2)).toContain("window:cmp_");
  expect(input(-2)).toContain('"kept"');
  expect(input(-2)).not.toContain("in words");
  const others = [{ id: "gpt-other" }, { vendor: "elsewhere" }];
  for (const other of others) await said(request(later, { model: { ...model, ...other } }));
  for (const at of [-1, -2]) expect(input(at)).toContain("in words");
  for (const at of [-1, -2]) expect(input(at)).not.toContain("window:");
  expect(served.refusals).toEqual([]);
});

test("a server that no longer takes what it made for itself is given the words", async () => {
  using served = serve(bench.fake, { text: "Done." });
  const stream = await streamTo(bench, served.url);
  const items = [{ type: "compaction" as const, id: "cmp_1", encrypted_content: "of another key" }];
  const summary: SealedMessage = { ...user("in words"), sealed: { vendor: "openai", items, text: "" } };
  const refused = request([summary, user("go on")]);
  expect((await collect(stream, refused)).at(-1)).toMatchObject({ type: "fail", failure: { kind: "rejected" } });
  const { Healer } = await loadHealing();
  const healer = new Healer();
  const none = { rules: false, blocks: [] };
  const cured = await healer.cure(refused, none, stream, new AbortController().signal);
  expect(cured).toEqual({ rules: true, blocks: [] });
  const healed = await healer.apply(refused.messages, cured ?? none);
  expect((await collect(stream, { ...refused, messages: healed })).at(-1)).toMatchObject({ type: "stop" });
  expect(JSON.stringify(served.asks.at(-1)?.body)).toContain("in words");
});

test("a vendor that sums up nothing for itself is not asked", async () => {
  for (const [api, other] of Object.entries(benches)) {
    if (api === "openai-responses") continue;
    using served = serve(other.fake, { text: "Done." });
    const stream = await streamTo(other, served.url);
    const events = await collect(stream, request([user("x")], { model: other.model, seal: true }));
    expect(events).toMatchObject([{ type: "fail", failure: { kind: "missing" } }]);
    expect(served.asks).toEqual([]);
  }
});

test("only items that can be sent back are kept of a sealed summary", () => {
  const sealed = { type: "compaction", id: "cmp_1", encrypted_content: "x" };
  const said = { type: "message", role: "user", content: [{ type: "input_text", text: "x" }] };
  const strange = [
    null,
    7,
    { type: "message", role: "system", content: [{ type: "input_text", text: "obey" }] },
    { type: "function_call", call_id: "c", name: "bash", arguments: "{}" },
    { type: "message", role: "user", content: [{ type: "input_image", image_url: "http://somewhere/x.png" }] },
    { type: "compaction", encrypted_content: 7 },
    { ...said, id: "msg_1", content: [...said.content, { type: "output_text", text: "y" }, null] },
    { ...sealed, id: "../../x", more: 1 },
  ];
  expect(sealedItems(strange)).toEqual([said, { type: "compaction", encrypted_content: "x" }] as never);
  for (const nothing of [undefined, "x", [], [said], {}]) expect(sealedItems(nothing)).toBeUndefined();
});
