import { type Fake, pieces, tokens } from "../fake.ts";
import { signatureFor } from "../rule.ts";
import { type AnthropicBody, anthropicRules } from "./anthropic-rule.ts";

export const anthropicFake: Fake<AnthropicBody> = {
  api: "anthropic-messages",
  base: "/v1",
  path: /^\/v1\/messages$/,
  contentType: "text/event-stream; charset=utf-8",
  rules: anthropicRules,
  ping: event({ type: "ping" }),
  frames({ thinking, text, calls = [], stop }) {
    const frames: object[] = [];
    let index = 0;
    const block = (start: object, deltas: readonly object[]) => {
      frames.push({ type: "content_block_start", index, content_block: start });
      for (const delta of deltas) frames.push({ type: "content_block_delta", index, delta });
      frames.push({ type: "content_block_stop", index: index++ });
    };
    const input = {
      input_tokens: tokens.fresh,
      cache_read_input_tokens: tokens.cached,
      cache_creation_input_tokens: tokens.written,
    };
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "fake-model",
      content: [],
      stop_reason: null,
      stop_sequence: null,
    };
    frames.push(
      { type: "message_start", message: { ...message, usage: { ...input, output_tokens: 1 } } },
      { type: "ping" },
    );
    if (thinking) {
      const deltas = pieces(thinking).map((piece) => ({ type: "thinking_delta", thinking: piece }));
      block({ type: "thinking", thinking: "", signature: "" }, [
        ...deltas,
        { type: "signature_delta", signature: signatureFor(thinking) },
      ]);
    }
    if (text)
      block(
        { type: "text", text: "" },
        pieces(text).map((piece) => ({ type: "text_delta", text: piece })),
      );
    for (const { id, name, args } of calls) {
      const deltas = pieces(JSON.stringify(args)).map((partial_json) => ({ type: "input_json_delta", partial_json }));
      block({ type: "tool_use", id, name, input: {} }, [{ type: "input_json_delta", partial_json: "" }, ...deltas]);
    }
    const stop_reason = stop === "length" ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn";
    const details = thinking ? { output_tokens_details: { thinking_tokens: tokens.thinking } } : {};
    frames.push(
      {
        type: "message_delta",
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: tokens.output, ...details },
      },
      { type: "message_stop" },
    );
    return frames.map(event);
  },
  error(kind, message) {
    const { status, type, text } = errors[kind];
    return { status, body: { type: "error", error: { type, message: message || text }, request_id: "req_1" } };
  },
  overload: event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
};

function event(data: object): string {
  return `event: ${(data as { type: string }).type}\ndata: ${JSON.stringify(data)}\n\n`;
}

const errors = {
  rate: { status: 429, type: "rate_limit_error", text: "" },
  server: { status: 500, type: "api_error", text: "Internal server error" },
  overflow: { status: 400, type: "invalid_request_error", text: "prompt is too long: 210000 tokens > 200000 maximum" },
  rejected: { status: 400, type: "invalid_request_error", text: "" },
  auth: { status: 401, type: "authentication_error", text: "invalid x-api-key" },
};
