import type { Compat } from "../../model/compat.ts";
import type { Protocol } from "../protocol.ts";
import { ResponsesDecoder } from "./decode.ts";
import { encoder } from "./encode.ts";

/** OpenAI Responses, streamed; Azure serves the same under another address and name. */
export const openaiResponses = (
  compat: Compat,
  api: "openai-responses" | "azure-openai-responses" = "openai-responses",
): Protocol => ({
  api,
  encode: encoder(compat),
  decoder: ({ tools }) => new ResponsesDecoder(tools),
});
