import { describe, expect, test } from "bun:test";
import { collect, joined, user } from "./fixture.ts";
import { type Bench, benches, streamTo } from "./lab.ts";
import { hear, oracleFor, type Prompt, thinkingOptions } from "./oracle.ts";
import { serve } from "./serve.ts";

const image = { type: "file" as const, mediaType: "image/png", data: { type: "data" as const, data: "aGk=" } };
const tools = [
  {
    type: "function" as const,
    name: "read",
    description: "Reads.",
    inputSchema: { type: "object" as const, properties: { path: { type: "string" as const } } },
  },
];
const scenes = [
  {
    thinking: "let me look",
    text: "I look.",
    calls: [
      { id: "call_1", name: "read", args: { path: "a" } },
      { id: "call_2", name: "read", args: { path: "b" } },
    ],
  },
  { text: "Done." },
];

/** Official SDKs and the protocols they speak. */
const providers: readonly (readonly [provider: string, api: string])[] = [
  ["openai-completions", "openai-completions"],
  ["openai-chat", "openai-completions"],
  ["openai-responses", "openai-responses"],
  ["anthropic-messages", "anthropic-messages"],
  ["google-generative-ai", "google-generative-ai"],
  ["bedrock-converse-stream", "bedrock-converse-stream"],
];

for (const [provider, api] of providers)
  describe(`${api}, by ${provider}`, () => {
    const { fake, model, auth } = benches[api] as Bench;
    test("takes what another project's code asks, and both hear the same answer", async () => {
      using served = serve(fake, ...scenes, ...scenes);
      const oracle = await oracleFor(provider, served.url, model.id);
      if (!oracle) throw new Error("no oracle");
      const prompt: Prompt = [
        { role: "system", content: "be brief" },
        { role: "user", content: [{ type: "text", text: "what is this?" }, image] },
      ];
      const more = { tools, providerOptions: thinkingOptions, maxOutputTokens: 4000 };
      const first = await hear(oracle, prompt, more);
      expect(first.calls).toMatchObject([{ args: { path: "a" } }, { args: { path: "b" } }]);
      const result = (id: string, name: string) => ({
        type: "tool-result" as const,
        toolCallId: id,
        toolName: name,
        output: { type: "text" as const, value: "A" },
      });
      prompt.push(
        { role: "assistant", content: first.content },
        { role: "tool", content: first.calls.map(({ id, name }) => result(id, name)) },
      );
      const second = await hear(oracle, prompt, more);
      prompt.push(
        { role: "assistant", content: second.content },
        { role: "user", content: [{ type: "text", text: "thanks" }] },
      );
      await hear(oracle, prompt, more);
      expect(served.refusals).toEqual([]);

      using again = serve(fake, ...scenes);
      const ours = await collect(await streamTo({ fake, auth }, again.url), {
        model,
        purpose: "main",
        system: [],
        messages: [user("what is this?")],
        tools: [],
      });
      expect(joined(ours, "text")).toBe(first.text);
      // The SDK of this provider does not read the thinking of other servers.
      expect(first.thinking).toBe(provider === "openai-chat" ? "" : joined(ours, "thinking"));
      const usage = ours.findLast((event) => event.type === "usage")?.usage;
      expect({
        input: (usage?.totalTokens ?? 0) - (usage?.output ?? 0),
        output: usage?.output,
        cacheRead: usage?.cacheRead,
      }).toEqual(first.usage);
    });
  });
