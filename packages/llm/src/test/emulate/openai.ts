import { chatChunks } from "../fake/openai-chat.ts";
import { type ChatBody, chatRules } from "../fake/openai-chat-rule.ts";
import type { Scene } from "../fake.ts";
import { refusalOf } from "../rule.ts";
import { type Asked, streamed } from "./kind.ts";
import type { Machine, Refusal, Reply } from "./machine.ts";
import type { Weights } from "./model.ts";
import { seenByChat } from "./seen.ts";
import type { Counts } from "./slot.ts";

/** Differences between servers of chat completions. */
export interface Dialect {
  /** The model for a name; some serve the only one they have under any. */
  model(machine: Machine, id: unknown): Weights | undefined;
  refuse(refusal: Refusal): Response;
  /** Said with the counts. */
  also?(counts: Counts): object;
  cached: "told" | "kept";
  /** `always`: token counts come without `stream_options`. */
  usage: "always" | "asked";
}

/** Rules for servers that need no key and accept fields unknown to OpenAI. */
const rules = chatRules.filter(({ name }) => name !== "key");
const extra = ["top_k", "min_p", "repeat_penalty", "cache_prompt", "chat_template_kwargs", "ttl", "reasoning_format"];

export function chat(machine: Machine, { body, raw, request, url }: Asked, dialect: Dialect): Response {
  const plain = Object.fromEntries(Object.entries(body).filter(([name]) => !extra.includes(name)));
  const wrong = refusalOf(rules, { body: plain as unknown as ChatBody, headers: request.headers, url, raw });
  if (wrong) return refused(machine, { why: "invalid", said: wrong.message }, dialect);
  const model = dialect.model(machine, body.model);
  if (!model) return refused(machine, { why: "missing", said: String(body.model) }, dialect);
  const answer = machine.answer(seenByChat(body), model, machine.window(model));
  if ("why" in answer) return dialect.refuse(answer);
  const usage = usageOf(machine, answer, dialect);
  const also = dialect.also?.(answer.counts) ?? {};
  if (body.stream !== true) return Response.json({ ...whole(answer.scene, model.id), usage, ...also });
  const asked = (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true;
  const chunks = chatChunks(answer.scene, model.id, usage);
  const last = chunks.pop();
  if (dialect.usage === "always" || asked) chunks.push({ ...last, ...also });
  const frames = machine.sent(chunks).map((frame) => `data: ${JSON.stringify(frame)}\n\n`);
  if (machine.has("error in stream")) {
    const broken = { error: { code: 500, message: "the model stopped unexpectedly", type: "server_error" } };
    return streamed([...frames.slice(0, frames.length >> 1), `data: ${JSON.stringify(broken)}\n\n`], eventStream);
  }
  return streamed([...frames, "data: [DONE]\n\n"], eventStream);
}

const eventStream = "text/event-stream; charset=utf-8";

function refused(machine: Machine, refusal: Refusal, dialect: Dialect): Response {
  machine.refusals.push(refusal);
  return dialect.refuse(refusal);
}

function usageOf(machine: Machine, { counts }: Reply, { cached }: Dialect): object {
  const prompt = machine.told(counts);
  return {
    prompt_tokens: prompt,
    completion_tokens: counts.output,
    total_tokens: prompt + counts.output,
    ...(cached === "told" ? { prompt_tokens_details: { cached_tokens: counts.cached } } : {}),
  };
}

function whole({ thinking, text, calls = [], stop }: Scene, model: string): object {
  const tool_calls = calls.map(({ id, name, args }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text ?? null,
          ...(thinking ? { reasoning_content: thinking } : {}),
          ...(calls.length > 0 ? { tool_calls } : {}),
        },
        finish_reason: stop ?? (calls.length > 0 ? "tool_calls" : "stop"),
      },
    ],
  };
}

/** An error in the shape that most of them share. */
export const failed = (status: number, type: string, message: string, more: object = {}): Response =>
  Response.json({ error: { code: status, message, type, ...more } }, { status });
