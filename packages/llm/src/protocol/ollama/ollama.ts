import type { Compat } from "../../model/compat.ts";
import { newCallId } from "../call-id.ts";
import type { Protocol } from "../protocol.ts";
import { OllamaDecoder } from "./decode.ts";
import { encoder } from "./encode.ts";

/** Ollama's own chat, streamed. */
export const ollamaChat = (compat: Compat): Protocol => ({
  api: "ollama-chat",
  encode: encoder(compat),
  decoder: () => new OllamaDecoder(newCallId),
});
