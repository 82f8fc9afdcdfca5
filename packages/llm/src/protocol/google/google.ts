import type { Compat } from "../../model/compat.ts";
import { sse } from "../../route/framing/sse.ts";
import type { Protocol } from "../protocol.ts";
import { GoogleDecoder } from "./decode.ts";
import { googleEncoder } from "./encode.ts";

/** Gemini, streamed; Vertex serves the same under another address and name, and lists no models. */
export const googleGenerate = (
  compat: Compat,
  api: "google-generative-ai" | "google-vertex" = "google-generative-ai",
): Protocol => ({
  api,
  framing: sse,
  path: ({ id }) => `/models/${encodeURIComponent(id)}:streamGenerateContent?alt=sse`,
  listing: api === "google-vertex" ? undefined : { path: "/models?pageSize=1000", list: "models", name: "name" },
  encode: googleEncoder(compat),
  decoder: () => new GoogleDecoder(),
});
