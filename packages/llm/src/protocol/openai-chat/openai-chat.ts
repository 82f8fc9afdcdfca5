import type { Compat } from "../../model/compat.ts";
import { sse } from "../../route/framing/sse.ts";
import type { Protocol } from "../protocol.ts";
import { sessionHeaders } from "../session-header.ts";
import { ChatDecoder } from "./decode.ts";
import { chatEncoder } from "./encode.ts";

/** OpenAI Chat Completions, streamed. */
export const openaiChat = (compat: Compat): Protocol => ({
  api: "openai-completions",
  framing: sse,
  path: () => "/chat/completions",
  listing: { path: "/models", list: "data", name: "id" },
  headers: (request) => sessionHeaders(request, compat),
  encode: chatEncoder(compat),
  decoder: ({ model }) => new ChatDecoder({ ...compat, ...model.compat }),
});
