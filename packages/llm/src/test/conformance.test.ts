import { expect, test } from "bun:test";
import { columns } from "./conformance.ts";
import { benches } from "./lab.ts";

/** Results other than a plain yes. */
const ways: Readonly<Record<string, string>> = {
  "openai-completions thinking": "unsigned",
  "ollama-chat thinking": "unsigned",
  "google-generative-ai streamed arguments": "whole",
  "google-vertex streamed arguments": "whole",
  "ollama-chat streamed arguments": "whole",
  "ollama-chat usage": "no cache",
};

for (const [api, bench] of Object.entries(benches))
  for (const { name, check } of columns)
    test(`${api}: ${name}`, async () => {
      const way = await check(bench);
      expect(way).toBe(
        name === "cache marks" ? (/anthropic|bedrock/.test(api) ? undefined : "by prefix") : ways[`${api} ${name}`],
      );
    });
