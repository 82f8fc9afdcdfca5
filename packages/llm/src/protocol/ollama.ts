import type { Compat } from "../message/compat.ts";
import { newCallId } from "./call-id.ts";
import { OllamaDecoder } from "./ollama-decode.ts";
import { encoder } from "./ollama-encode.ts";
import type { Protocol } from "./protocol.ts";

/** Ollama's own chat, streamed. */
export const ollamaChat = (compat: Compat): Protocol => ({
  api: "ollama-chat",
  encode: encoder(compat),
  decoder: () => new OllamaDecoder(newCallId),
});
