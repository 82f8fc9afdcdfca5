import { type Fake, pieces, tokens } from "../fake.ts";
import { type GoogleBody, googleRules, signatureOf } from "./google-rule.ts";

export const googleFake: Fake<GoogleBody> = {
  api: "google-generative-ai",
  base: "/v1beta",
  path: /\/models\/[^/]+:streamGenerateContent$/,
  contentType: "text/event-stream",
  rules: googleRules,
  ping: ": keep-alive\n\n",
  frames({ thinking, text, calls = [], stop }) {
    const head = { modelVersion: "fake-model", responseId: "resp-1" };
    const chunk = (parts: readonly object[], more: object = {}) => ({
      candidates: [{ content: { parts, role: "model" }, index: 0, ...more }],
      ...head,
    });
    const frames: object[] = [];
    for (const piece of pieces(thinking ?? "")) frames.push(chunk([{ text: piece, thought: true }]));
    for (const piece of pieces(text ?? "")) frames.push(chunk([{ text: piece }]));
    // Only the first of several calls is signed.
    for (const [at, { name, args }] of calls.entries()) {
      const functionCall = { name, args };
      frames.push(chunk([{ functionCall, thoughtSignature: at === 0 ? signatureOf({ functionCall }) : undefined }]));
    }
    const usageMetadata = {
      promptTokenCount: tokens.fresh + tokens.cached,
      cachedContentTokenCount: tokens.cached,
      candidatesTokenCount: tokens.output - (thinking ? tokens.thinking : 0),
      thoughtsTokenCount: thinking ? tokens.thinking : undefined,
      totalTokenCount: tokens.fresh + tokens.cached + tokens.output,
    };
    frames.push({ ...chunk([], { finishReason: stop === "length" ? "MAX_TOKENS" : "STOP" }), usageMetadata });
    return frames.map(event);
  },
  delayInBody: true,
  error(kind, message) {
    const { code, status, text } = errors[kind];
    const details = kind === "rate" ? [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" }] : [];
    return { status: code, body: { error: { code, message: message || text, status, details } } };
  },
  overload: event({
    error: { code: 503, message: "The model is overloaded. Please try again later.", status: "UNAVAILABLE" },
  }),
};

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`;
}

const errors = {
  rate: { code: 429, status: "RESOURCE_EXHAUSTED", text: "" },
  server: { code: 500, status: "INTERNAL", text: "" },
  overflow: {
    code: 400,
    status: "INVALID_ARGUMENT",
    text: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  },
  rejected: { code: 400, status: "INVALID_ARGUMENT", text: "" },
  auth: { code: 403, status: "PERMISSION_DENIED", text: "" },
};
