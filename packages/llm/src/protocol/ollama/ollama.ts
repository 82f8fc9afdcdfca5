import type { Compat } from "../../model/compat.ts";
import { ndjson } from "../../route/framing/ndjson.ts";
import type { Protocol } from "../protocol.ts";
import { OllamaDecoder } from "./decode.ts";
import { ollamaEncoder } from "./encode.ts";

/** Ollama's own chat, streamed. */
export const ollamaChat = (compat: Compat): Protocol => ({
  api: "ollama-chat",
  framing: ndjson,
  path: () => "/api/chat",
  listing: { path: "/api/tags", list: "models", name: "name" },
  headers: () => ({ accept: "application/x-ndjson" }),
  encode: ollamaEncoder(compat),
  decoder: () => new OllamaDecoder(),
});
