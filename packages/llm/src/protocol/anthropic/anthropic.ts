import type { Request } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import { sse } from "../../route/framing/sse.ts";
import { thinks } from "../encode.ts";
import type { Protocol } from "../protocol.ts";
import { sessionHeaders } from "../session-header.ts";
import { thinksByEffort } from "./claude.ts";
import { AnthropicDecoder } from "./decode.ts";
import { anthropicEncoder } from "./encode.ts";

/** Anthropic Messages, streamed. */
export const anthropicMessages = (defaults: Compat): Protocol => ({
  api: "anthropic-messages",
  framing: sse,
  path: () => "/messages",
  listing: { path: "/models?limit=1000", list: "data", name: "id" },
  headers: (request) => ({ ...featureHeaders(request, defaults), ...sessionHeaders(request, defaults) }),
  encode: anthropicEncoder(defaults),
  decoder: () => new AnthropicDecoder(),
});

/** Headers that request features. */
function featureHeaders(request: Request, defaults: Compat): Record<string, string> {
  const compat = { ...defaults, ...request.model.compat };
  const betas: string[] = [];
  if (thinks(request) && !thinksByEffort(request.model, compat) && compat.interleavedThinking !== false)
    betas.push("interleaved-thinking-2025-05-14");
  if (request.tools.length > 0 && compat.supportsEagerToolInputStreaming === false)
    betas.push("fine-grained-tool-streaming-2025-05-14");
  return { "anthropic-version": "2023-06-01", ...(betas.length > 0 && { "anthropic-beta": betas.join(",") }) };
}
