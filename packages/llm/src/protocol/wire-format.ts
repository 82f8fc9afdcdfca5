import type { Request } from "../message/stream.ts";
import type { Compat } from "../model/compat.ts";
import type { Route } from "../route/route.ts";

/** A protocol with its framing, paths and headers: a route without endpoint, authentication and clock. */
export type WireFormat = Pick<Route, "protocol" | "framing" | "path" | "sealPath" | "headers" | "listing">;

const atOpenai = { path: "/models", list: "data", name: "id" } as const;

/** Protocols by their names in session files, loaded on use. The base address includes the version path. */
export const wireFormats: Readonly<Record<string, (compat: Compat) => Promise<WireFormat>>> = {
  "openai-completions": async (compat) => {
    const [{ openaiChat }, { sse }] = await Promise.all([
      import("./openai-chat/openai-chat.ts"),
      import("../route/framing/sse.ts"),
    ]);
    return {
      protocol: openaiChat(compat),
      framing: sse,
      path: "/chat/completions",
      headers: (request) => affinity(request, compat),
      listing: atOpenai,
    };
  },
  "openai-responses": async (compat) => responses(compat, "openai-responses"),
  "azure-openai-responses": async (compat) => responses(compat, "azure-openai-responses"),
  "anthropic-messages": async (compat) => {
    const [{ anthropicMessages, anthropicHeaders }, { sse }] = await Promise.all([
      import("./anthropic/anthropic.ts"),
      import("../route/framing/sse.ts"),
    ]);
    const headers = anthropicHeaders(compat);
    return {
      protocol: anthropicMessages(compat),
      framing: sse,
      path: "/messages",
      headers: (request) => ({ ...headers(request), ...affinity(request, compat) }),
      listing: { ...atOpenai, path: "/models?limit=1000" },
    };
  },
  "google-generative-ai": async (compat) => google(compat, "google-generative-ai"),
  "google-vertex": async (compat) => google(compat, "google-vertex"),
  "bedrock-converse-stream": async (compat) => {
    const [{ bedrockConverse, bedrockPath }, { awsEventStream }] = await Promise.all([
      import("./bedrock/bedrock.ts"),
      import("../route/framing/event-stream.ts"),
    ]);
    return {
      protocol: bedrockConverse(compat),
      framing: awsEventStream,
      path: bedrockPath,
      headers: () => ({ accept: "application/vnd.amazon.eventstream" }),
    };
  },
  "ollama-chat": async (compat) => {
    const [{ ollamaChat }, { ndjson }] = await Promise.all([
      import("./ollama/ollama.ts"),
      import("../route/framing/ndjson.ts"),
    ]);
    return {
      protocol: ollamaChat(compat),
      framing: ndjson,
      path: "/api/chat",
      headers: () => ({ accept: "application/x-ndjson" }),
      listing: { path: "/api/tags", list: "models", name: "name" },
    };
  },
};

/** Header by which some vendors find the machine that has the session's cache. */
function affinity({ session, model }: Request, defaults: Compat): Record<string, string> {
  const compat = { ...defaults, ...model.compat };
  if (session === undefined || !compat.sendSessionAffinityHeaders || compat.cacheRetention === "none") return {};
  if (compat.sessionAffinityFormat === "openrouter") return { "x-session-id": session };
  return {
    "x-session-affinity": session,
    ...(compat.sessionAffinityFormat === "openai" ? { session_id: session } : {}),
  };
}

async function responses(compat: Compat, api: "openai-responses" | "azure-openai-responses"): Promise<WireFormat> {
  const [{ openaiResponses }, { sse }] = await Promise.all([
    import("./openai-responses/openai-responses.ts"),
    import("../route/framing/sse.ts"),
  ]);
  return {
    protocol: openaiResponses(compat, api),
    framing: sse,
    path: "/responses",
    headers: (request) => affinity(request, compat),
    // Azure lists models that could be deployed, not those that are.
    ...(api === "openai-responses" ? { listing: atOpenai, sealPath: "/responses/compact" } : {}),
  };
}

async function google(compat: Compat, api: "google-generative-ai" | "google-vertex"): Promise<WireFormat> {
  const [{ googleGenerate, googlePath }, { sse }] = await Promise.all([
    import("./google/google.ts"),
    import("../route/framing/sse.ts"),
  ]);
  const listing = { path: "/models?pageSize=1000", list: "models", name: "name" } as const;
  return {
    protocol: googleGenerate(compat, api),
    framing: sse,
    path: googlePath,
    ...(api === "google-generative-ai" ? { listing } : {}),
  };
}
