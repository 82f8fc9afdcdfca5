import { describe, expect, test } from "bun:test";
import type { Message } from "../message/message.ts";
import type { Request, ToolSpec } from "../message/stream.ts";
import { collect, folded, user } from "./fixture.ts";
import { type Bench, benches, streamTo } from "./lab.ts";
import { type Ask, type Rule, refusalOf } from "./rule.ts";
import { serve } from "./serve.ts";

const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };
const tools: ToolSpec[] = [
  {
    name: "read",
    description: "Reads a file.",
    parameters: { type: "object", properties: { path: { type: "string" } } },
  },
];

/** A conversation with everything in it, held with the strict server; the last request of it. */
async function lastRequest(bench: Bench): Promise<Ask<unknown>> {
  const calls = [
    { id: "call_1", name: "read", args: { path: "a" } },
    { id: "call_2", name: "read", args: { path: "b" } },
  ];
  using served = serve(
    bench.fake,
    { thinking: "let me look", text: "I look.", calls },
    { text: "Done." },
    { text: "Bye." },
  );
  const stream = await streamTo(bench, served.url);
  const messages: Message[] = [user([{ type: "text", text: "what is this?" }, image])];
  const request: Request = {
    model: bench.model,
    purpose: "main",
    system: ["be brief", "be kind"],
    messages,
    tools,
    effort: "high",
    maxOutput: 8000,
  };
  const ask = async () => {
    const reply = folded(await collect(stream, request), bench.model);
    messages.push(reply);
    return reply;
  };
  const ids = (await ask()).content.flatMap((part) => (part.type === "toolCall" ? [part.id] : []));
  expect(ids).toHaveLength(2);
  for (const [at, toolCallId] of ids.entries())
    messages.push({
      role: "toolResult",
      toolCallId,
      toolName: "read",
      content: [{ type: "text", text: "A" }, image],
      isError: at === 1,
      timestamp: 0,
    });
  await ask();
  messages.push(user("thanks"));
  await ask();
  expect(served.refusals).toEqual([]);
  const last = served.asks.at(-1);
  if (!last) throw new Error("nothing was asked");
  return last;
}

for (const [api, bench] of Object.entries(benches))
  describe(`the server of ${api}`, () => {
    const rules: readonly Rule<unknown>[] = bench.fake.rules;
    for (const rule of rules)
      test(`refuses what breaks the rule "${rule.name}": ${rule.says} (${rule.page})`, async () => {
        const good = await lastRequest(bench);
        for (const spoil of [rule.broken].flat()) {
          const body = structuredClone(good.body);
          const headers = new Headers(good.headers);
          spoil(body, headers);
          const raw = JSON.stringify(body);
          const same = raw === JSON.stringify(good.body);
          // A changed body would break the signature of the request first.
          if (!same && headers.get("authorization")?.startsWith("AWS4"))
            headers.set("authorization", "Bearer key-for-tests");
          expect(refusalOf(rules, { body, headers, url: good.url, raw: same ? good.raw : raw })?.rule).toBe(rule.name);
        }
      });
  });
