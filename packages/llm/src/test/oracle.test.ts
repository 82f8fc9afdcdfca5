import { describe, expect, test } from "bun:test";
import { collect, joined, user } from "./fixture.ts";
import { benches, streamTo } from "./lab.ts";
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

const heardElsewhere = ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai", "bedrock-converse-stream"];

for (const [api, { fake, model, auth }] of Object.entries(benches).filter(([name]) => heardElsewhere.includes(name)))
  describe(api, () => {
    test("takes what another project's code asks, and both hear the same answer", async () => {
      using served = serve(fake, ...scenes, ...scenes);
      const oracle = await oracleFor(api, served.url, model.id);
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
      prompt.push({ role: "assistant", content: first.content }, { role: "tool", content: first.calls.map(({ id, name }) => result(id, name)) });
      const second = await hear(oracle, prompt, more);
      prompt.push({ role: "assistant", content: second.content }, { role: "user", content: [{ type: "text", text: "thanks" }] });
      await hear(oracle, prompt, more);
      expect(served.refusals).toEqual([]);

      using again = serve(fake, ...scenes);
      const ours = await collect(await streamTo({ fake, auth }, again.url), { model, system: [], messages: [user("what is this?")], tools: [] });
      expect({ text: joined(ours, "text"), thinking: joined(ours, "thinking") }).toEqual({ text: first.text, thinking: first.thinking });
      const usage = ours.find((event) => event.type === "usage")?.usage;
      expect({ input: (usage?.totalTokens ?? 0) - (usage?.output ?? 0), output: usage?.output, cacheRead: usage?.cacheRead }).toEqual(first.usage);
    });
  });
