import { type Fake, pieces, tokens } from "../fake.ts";
import { signatureFor } from "../rule.ts";
import { type BedrockBody, bedrockRules } from "./bedrock-rule.ts";

export const bedrockFake: Fake<BedrockBody> = {
  api: "bedrock-converse-stream",
  base: "",
  path: /^\/model\/[^/]+\/converse-stream$/,
  contentType: "application/vnd.amazon.eventstream",
  rules: bedrockRules,
  frames({ thinking, text, calls = [], stop }) {
    const frames = [frame("messageStart", { role: "assistant", p: "abc" })];
    let contentBlockIndex = 0;
    const block = (deltas: readonly object[], start?: object) => {
      if (start) frames.push(frame("contentBlockStart", { contentBlockIndex, start }));
      for (const delta of deltas) frames.push(frame("contentBlockDelta", { contentBlockIndex, delta, p: "abcdef" }));
      frames.push(frame("contentBlockStop", { contentBlockIndex: contentBlockIndex++ }));
    };
    if (thinking) {
      const thoughts = pieces(thinking).map((piece) => ({ reasoningContent: { text: piece } }));
      block([...thoughts, { reasoningContent: { signature: signatureFor(thinking) } }]);
    }
    if (text) block(pieces(text).map((piece) => ({ text: piece })));
    for (const { id, name, args } of calls)
      block(
        pieces(JSON.stringify(args)).map((input) => ({ toolUse: { input } })),
        { toolUse: { toolUseId: id, name } },
      );
    frames.push(
      frame("messageStop", {
        stopReason: stop === "length" ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn",
      }),
    );
    const usage = {
      inputTokens: tokens.fresh,
      outputTokens: tokens.output,
      totalTokens: tokens.fresh + tokens.cached + tokens.written + tokens.output,
      cacheReadInputTokens: tokens.cached,
      cacheWriteInputTokens: tokens.written,
    };
    frames.push(frame("metadata", { usage, metrics: { latencyMs: 1 } }));
    return frames;
  },
  error(kind, message) {
    const { status, type, text } = errors[kind];
    return {
      status,
      body: { message: message || text },
      headers: { "x-amzn-errortype": `${type}:http://internal.amazon.com/` },
    };
  },
  overload: frame("serviceUnavailableException", { message: "The service is unavailable" }, "exception"),
};

/** Encodes a frame of the binary event stream. */
export function frame(name: string, payload: object | string, kind: "event" | "exception" = "event"): Uint8Array {
  const headers = Buffer.concat([
    header(`:${kind}-type`, name),
    header(":content-type", "application/json"),
    header(":message-type", kind),
  ]);
  const body = Buffer.from(typeof payload === "string" ? payload : JSON.stringify(payload));
  const whole = Buffer.alloc(16 + headers.length + body.length);
  whole.writeUInt32BE(whole.length, 0);
  whole.writeUInt32BE(headers.length, 4);
  whole.writeUInt32BE(Bun.hash.crc32(whole.subarray(0, 8)), 8);
  headers.copy(whole, 12);
  body.copy(whole, 12 + headers.length);
  whole.writeUInt32BE(Bun.hash.crc32(whole.subarray(0, whole.length - 4)), whole.length - 4);
  return new Uint8Array(whole);
}

function header(name: string, value: string): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), size, Buffer.from(value)]);
}

const errors = {
  rate: { status: 429, type: "ThrottlingException", text: "Too many requests" },
  server: { status: 500, type: "InternalServerException", text: "" },
  overflow: { status: 400, type: "ValidationException", text: "Input is too long for requested model." },
  rejected: { status: 400, type: "ValidationException", text: "" },
  auth: { status: 403, type: "InvalidSignatureException", text: "" },
};
