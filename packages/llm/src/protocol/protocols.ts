import type { Compat } from "../model/compat.ts";
import type { Protocol } from "./protocol.ts";

type LoadProtocol = (compat: Compat) => Promise<Protocol>;

const responses =
  (api: "openai-responses" | "azure-openai-responses"): LoadProtocol =>
  async (compat) =>
    (await import("./openai-responses/openai-responses.ts")).openaiResponses(compat, api);

const google =
  (api: "google-generative-ai" | "google-vertex"): LoadProtocol =>
  async (compat) =>
    (await import("./google/google.ts")).googleGenerate(compat, api);

/** Protocols by their names in session files, loaded on use. */
export const protocols: Readonly<Record<string, LoadProtocol>> = {
  "openai-completions": async (compat) => (await import("./openai-chat/openai-chat.ts")).openaiChat(compat),
  "openai-responses": responses("openai-responses"),
  "azure-openai-responses": responses("azure-openai-responses"),
  "anthropic-messages": async (compat) => (await import("./anthropic/anthropic.ts")).anthropicMessages(compat),
  "google-generative-ai": google("google-generative-ai"),
  "google-vertex": google("google-vertex"),
  "bedrock-converse-stream": async (compat) => (await import("./bedrock/bedrock.ts")).bedrockConverse(compat),
  "ollama-chat": async (compat) => (await import("./ollama/ollama.ts")).ollamaChat(compat),
};
