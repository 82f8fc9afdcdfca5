import { type Fake, pieces, tokens } from "../fake.ts";
import type { Ask } from "../rule.ts";
import { openaiError } from "./openai-error.ts";
import { compactRules, type ResponsesBody, responsesRules } from "./openai-responses-rule.ts";

export const responsesFake: Fake<ResponsesBody> = {
  api: "openai-responses",
  base: "/v1",
  path: /\/responses$/,
  contentType: "text/event-stream; charset=utf-8",
  rules: responsesRules,
  ping: ": keep-alive\n\n",
  frames({ thinking, text, calls = [], stop }, ask) {
    const n = numberFor(ask);
    const response = {
      id: `resp_${n}`,
      object: "response",
      created_at: 1,
      model: "fake-model",
      status: "in_progress",
      output: [],
    };
    const frames: object[] = [
      { type: "response.created", response },
      { type: "response.in_progress", response },
    ];
    let output_index = 0;
    const item = (added: object, done: object, deltas: readonly object[]) => {
      frames.push({ type: "response.output_item.added", output_index, item: added });
      for (const delta of deltas) frames.push({ output_index, ...delta });
      frames.push({ type: "response.output_item.done", output_index: output_index++, item: done });
    };
    if (thinking) {
      const reasoning = { type: "reasoning", id: `rs_${n}`, encrypted_content: `sealed:${n}` };
      const at = { item_id: reasoning.id, summary_index: 0 };
      item({ ...reasoning, summary: [] }, { ...reasoning, summary: [{ type: "summary_text", text: thinking }] }, [
        { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } },
        ...pieces(thinking).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
        { type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text: thinking } },
      ]);
    }
    const suffix = thinking ? n : `x${n}`;
    if (text) {
      const message = { type: "message", id: `msg_${suffix}`, role: "assistant" };
      const at = { item_id: message.id, content_index: 0 };
      item(
        { ...message, status: "in_progress", content: [] },
        { ...message, status: "completed", content: [{ type: "output_text", text, annotations: [] }] },
        [
          { type: "response.content_part.added", ...at, part: { type: "output_text", text: "", annotations: [] } },
          ...pieces(text).map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
          { type: "response.output_text.done", ...at, text, logprobs: [] },
        ],
      );
    }
    for (const call of calls) addCall(call, ask, suffix, item);
    const usage = {
      input_tokens: tokens.fresh + tokens.cached,
      input_tokens_details: { cached_tokens: tokens.cached },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: thinking ? tokens.thinking : 0 },
      total_tokens: tokens.fresh + tokens.cached + tokens.output,
    };
    const incomplete = stop === "length";
    const over = {
      ...response,
      status: incomplete ? "incomplete" : "completed",
      incomplete_details: incomplete ? { reason: "max_output_tokens" } : null,
      usage,
    };
    frames.push({ type: incomplete ? "response.incomplete" : "response.completed", response: over });
    return frames.map((frame, sequence_number) => event({ ...frame, sequence_number }));
  },
  beside: {
    path: /\/responses\/compact$/,
    rules: compactRules,
    answer: ({ body }) => {
      const id = `cmp_${numberFor({ body })}`;
      const said = body.input.filter(({ role }) => role === "user");
      return {
        id: `resp_${id}`,
        object: "response.compaction",
        created_at: 1,
        output: [
          ...said.map((item, at) => ({ type: "message", id: `msg_c${at}`, status: "completed", ...item })),
          { type: "compaction", id, encrypted_content: `window:${id}` },
        ],
        usage: { input_tokens: tokens.fresh, output_tokens: tokens.output, total_tokens: tokens.fresh + tokens.output },
      };
    },
  },
  error: openaiError,
  overload: event({
    type: "error",
    sequence_number: 99,
    error: { type: "server_error", code: "server_is_overloaded", message: "The server is overloaded", param: null },
  }),
};

/** Every answer has a number of its own: that of the request within its conversation. */
const numberFor = ({ body }: Pick<Ask<ResponsesBody>, "body">) => body.input.length;

function addCall(
  { id, name, args }: { id: string; name: string; args: Readonly<Record<string, unknown>> },
  { body }: Ask<ResponsesBody>,
  suffix: string | number,
  item: (added: object, done: object, deltas: readonly object[]) => void,
): void {
  if (body.tools?.some((tool) => tool.type === "custom" && tool.name === name)) {
    const input = String(Object.values(args)[0]);
    const custom = { type: "custom_tool_call", id: `ctc_${id}_${suffix}`, call_id: id, name };
    const deltas = pieces(input).map((delta) => ({
      type: "response.custom_tool_call_input.delta",
      item_id: custom.id,
      delta,
    }));
    item({ ...custom, input: "" }, { ...custom, input, status: "completed" }, deltas);
    return;
  }
  const call = { type: "function_call", id: `fc_${id}_${suffix}`, call_id: id, name };
  const whole = JSON.stringify(args);
  item({ ...call, arguments: "", status: "in_progress" }, { ...call, arguments: whole, status: "completed" }, [
    ...pieces(whole).map((delta) => ({ type: "response.function_call_arguments.delta", item_id: call.id, delta })),
    { type: "response.function_call_arguments.done", item_id: call.id, arguments: whole },
  ]);
}

function event(data: object): string {
  return `event: ${(data as { type: string }).type}\ndata: ${JSON.stringify(data)}\n\n`;
}
