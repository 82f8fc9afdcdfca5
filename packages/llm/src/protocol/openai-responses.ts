import type { Compat } from "../message/compat.ts";
import { ResponsesDecoder } from "./openai-responses-decode.ts";
import { encoder } from "./openai-responses-encode.ts";
import type { Protocol } from "./protocol.ts";

/** OpenAI Responses, streamed; Azure serves the same under another address and name. */
export const openaiResponses = (
  compat: Compat,
  api: "openai-responses" | "azure-openai-responses" = "openai-responses",
): Protocol => ({
  api,
  encode: encoder(compat),
  decoder: ({ tools }) => new ResponsesDecoder(tools),
});
