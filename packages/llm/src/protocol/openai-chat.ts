import { ChatDecoder } from "./openai-chat-decode.ts";
import { type ChatQuirks, encoder } from "./openai-chat-encode.ts";
import type { Protocol } from "./protocol.ts";

/** OpenAI Chat Completions, streamed. */
export const openaiChat = (quirks: ChatQuirks): Protocol => ({
  api: "openai-completions",
  encode: encoder(quirks),
  decoder: () => new ChatDecoder(() => `call_${crypto.randomUUID().replaceAll("-", "")}`),
});
