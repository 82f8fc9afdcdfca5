import { systemClock } from "@pith/kit";
import type { Stream } from "../message/stream.ts";
import type { Compat } from "../model/compat.ts";
import type { Model } from "../model/model.ts";
import { protocols } from "../protocol/protocols.ts";
import type { Auth } from "../route/auth.ts";
import { streamOf } from "../route/route.ts";
import { awsSignature } from "../vendor/aws/sigv4.ts";
import { anthropicFake } from "./fake/anthropic.ts";
import { bedrockFake } from "./fake/bedrock.ts";
import { awsKeys, awsRegion } from "./fake/bedrock-signature.ts";
import { googleFake } from "./fake/google.ts";
import { ollamaFake } from "./fake/ollama.ts";
import { chatFake } from "./fake/openai-chat.ts";
import { responsesFake } from "./fake/openai-responses.ts";
import type { Fake } from "./fake.ts";
import { model } from "./fixture.ts";

/** Every protocol with its strict server, a model to ask for, and who we are there. */
export interface Bench {
  fake: Fake;
  model: Model;
  auth: Auth;
}

const bench = (fake: Fake, vendor: string, id: string, headers: Record<string, string>): Bench => ({
  fake,
  model: { ...model, vendor, id, api: fake.api },
  auth: { headers, variable: "KEY", secrets: [] },
});

const bearer = { authorization: "Bearer key-for-tests" };

export const benches: Readonly<Record<string, Bench>> = {
  "openai-completions": bench(chatFake, "openai", "gpt-5.5", bearer),
  "openai-responses": bench(responsesFake, "openai", "gpt-5.5", bearer),
  "azure-openai-responses": bench(
    { ...responsesFake, api: "azure-openai-responses", base: "/openai/v1" },
    "azure",
    "my-deployment",
    {
      "api-key": "key-for-tests",
    },
  ),
  "anthropic-messages": bench(anthropicFake, "anthropic", "claude-sonnet-4-5", { "x-api-key": "key-for-tests" }),
  "google-generative-ai": bench(googleFake, "gemini", "gemini-3-pro", { "x-goog-api-key": "key-for-tests" }),
  "google-vertex": bench(
    { ...googleFake, api: "google-vertex", base: "/v1/projects/p/locations/global/publishers/google" },
    "google-vertex",
    "gemini-3-pro",
    bearer,
  ),
  "bedrock-converse-stream": {
    ...bench(bedrockFake, "bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", {}),
    auth: awsSignature(awsKeys, awsRegion),
  },
  "ollama-chat": bench(ollamaFake, "ollama", "qwen3", {}),
};

/** The way to a served fake. */
export async function streamTo(
  { fake, auth }: Pick<Bench, "fake" | "auth">,
  url: string,
  compat: Compat = {},
): Promise<Stream> {
  const wire = await protocols[fake.api]?.(compat);
  if (!wire) throw new Error(`no wire for ${fake.api}`);
  return streamOf({
    vendor: fake.api,
    ...wire,
    endpoint: { url: new URL(url), shown: url, variable: "BASE_URL", near: true },
    auth,
    clock: systemClock,
  });
}
