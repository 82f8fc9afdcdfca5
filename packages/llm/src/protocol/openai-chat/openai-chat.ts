import type { Compat } from "../../model/compat.ts";
import { newCallId } from "../call-id.ts";
import type { Protocol } from "../protocol.ts";
import { ChatDecoder } from "./decode.ts";
import { encoder } from "./encode.ts";

/** OpenAI Chat Completions, streamed. */
export const openaiChat = (compat: Compat): Protocol => ({
  api: "openai-completions",
  encode: encoder(compat),
  decoder: ({ model }) => new ChatDecoder(newCallId, { ...compat, ...model.compat }),
});
