import type { Compat } from "../../model/compat.ts";
import type { Model } from "../../model/model.ts";
import { newCallId } from "../call-id.ts";
import type { Protocol } from "../protocol.ts";
import { GoogleDecoder } from "./decode.ts";
import { encoder } from "./encode.ts";

/** Gemini, streamed; Vertex serves the same under another address and name. */
export const googleGenerate = (
  compat: Compat,
  api: "google-generative-ai" | "google-vertex" = "google-generative-ai",
): Protocol => ({
  api,
  encode: encoder(compat),
  decoder: () => new GoogleDecoder(newCallId),
});

export const googlePath = ({ id }: Pick<Model, "id">): string =>
  `/models/${encodeURIComponent(id)}:streamGenerateContent?alt=sse`;
