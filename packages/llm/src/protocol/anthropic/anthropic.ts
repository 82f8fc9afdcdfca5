import type { Request } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import { thinks } from "../encode.ts";
import type { Protocol } from "../protocol.ts";
import { thinksByEffort } from "./claude.ts";
import { AnthropicDecoder } from "./decode.ts";
import { encoder } from "./encode.ts";

/** Anthropic Messages, streamed. */
export const anthropicMessages = (compat: Compat): Protocol => ({
  api: "anthropic-messages",
  encode: encoder(compat),
  decoder: () => new AnthropicDecoder(),
});

/** Headers of a request: some features are requested by header. */
export function anthropicHeaders(defaults: Compat): (request: Request) => Record<string, string> {
  return (request) => {
    const compat = { ...defaults, ...request.model.compat };
    const betas: string[] = [];
    if (thinks(request) && !thinksByEffort(request.model, compat) && compat.interleavedThinking !== false)
      betas.push("interleaved-thinking-2025-05-14");
    if (request.tools.length > 0 && compat.supportsEagerToolInputStreaming === false)
      betas.push("fine-grained-tool-streaming-2025-05-14");
    return { "anthropic-version": "2023-06-01", ...(betas.length > 0 ? { "anthropic-beta": betas.join(",") } : {}) };
  };
}
