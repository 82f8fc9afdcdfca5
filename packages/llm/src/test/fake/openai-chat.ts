import { type Fake, pieces, type Scene, tokens } from "../fake.ts";
import { type ChatBody, chatRules } from "./openai-chat-rule.ts";
import { openaiError } from "./openai-error.ts";

const overloaded = { message: "The server is overloaded", type: "server_error", code: 503 };

/** A scene as the chunks of an answer; the last one counts. */
export function chatChunks({ thinking, text, calls = [], stop }: Scene, model: string, usage: object): object[] {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const frames: object[] = [chunk({ role: "assistant", content: "" })];
  for (const piece of pieces(thinking ?? "")) frames.push(chunk({ reasoning_content: piece }));
  for (const piece of pieces(text ?? "")) frames.push(chunk({ content: piece }));
  for (const [index, { id, name, args }] of calls.entries()) {
    frames.push(chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }));
    for (const piece of pieces(JSON.stringify(args)))
      frames.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  frames.push(chunk({}, stop === "length" ? "length" : calls.length > 0 ? "tool_calls" : "stop"));
  return [...frames, { ...head, choices: [], usage }];
}

export const chatFake: Fake<ChatBody> = {
  api: "openai-completions",
  base: "/v1",
  path: /\/chat\/completions$/,
  contentType: "text/event-stream; charset=utf-8",
  rules: chatRules,
  ping: ": keep-alive\n\n",
  frames(scene) {
    const usage = {
      prompt_tokens: tokens.fresh + tokens.cached,
      completion_tokens: tokens.output,
      total_tokens: tokens.fresh + tokens.cached + tokens.output,
      prompt_tokens_details: { cached_tokens: tokens.cached },
      completion_tokens_details: { reasoning_tokens: scene.thinking ? tokens.thinking : 0 },
    };
    return [
      ...chatChunks(scene, "fake-model", usage).map((frame) => `data: ${JSON.stringify(frame)}\n\n`),
      "data: [DONE]\n\n",
    ];
  },
  error: openaiError,
  overload: `data: ${JSON.stringify({ error: overloaded })}\n\n`,
};
