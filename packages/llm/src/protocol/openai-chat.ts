import type { Compat } from "../message/compat.ts";
import { newCallId } from "./call-id.ts";
import { ChatDecoder } from "./openai-chat-decode.ts";
import { encoder } from "./openai-chat-encode.ts";
import type { Protocol } from "./protocol.ts";

/** OpenAI Chat Completions, streamed. */
export const openaiChat = (compat: Compat): Protocol => ({
  api: "openai-completions",
  encode: encoder(compat),
  decoder: ({ model }) => new ChatDecoder(newCallId, { ...compat, ...model.compat }),
});
