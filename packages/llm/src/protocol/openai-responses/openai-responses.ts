import type { Compat } from "../../model/compat.ts";
import { sse } from "../../route/framing/sse.ts";
import type { Protocol } from "../protocol.ts";
import { sessionHeaders } from "../session-header.ts";
import { ResponsesDecoder } from "./decode.ts";
import { responsesEncoder } from "./encode.ts";

/**
 * OpenAI Responses, streamed. Azure serves the same under another address and name; it lists models that could be
 * deployed, not those that are.
 */
export const openaiResponses = (
  compat: Compat,
  api: "openai-responses" | "azure-openai-responses" = "openai-responses",
): Protocol => ({
  api,
  framing: sse,
  path: () => "/responses",
  ...(api === "openai-responses" && {
    sealPath: "/responses/compact",
    listing: { path: "/models", list: "data", name: "id" } as const,
  }),
  headers: (request) => sessionHeaders(request, compat),
  encode: responsesEncoder(compat),
  decoder: ({ tools }) => new ResponsesDecoder(tools),
});
