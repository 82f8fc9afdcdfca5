import type { Asked, Kind } from "./kind.ts";
import type { Machine, Refusal } from "./machine.ts";
import { chat, failed } from "./openai.ts";
import { seenByChat } from "./seen.ts";
import { tokensIn } from "./slot.ts";
import { prompt } from "./template.ts";

const complete = (machine: Machine, asked: Asked) =>
  chat(machine, asked, {
    // The same model under every name.
    model: ({ models }) => models[0],
    refuse: (refusal) => refuse(machine, refusal),
    also: ({ cached, processed, output }) => ({
      timings: { cache_n: cached, prompt_n: processed, predicted_n: output },
    }),
    cached: "told",
    usage: "asked",
  });

const models = (machine: Machine) =>
  Response.json({
    object: "list",
    data: machine.models.slice(0, 1).map((model) => ({
      id: model.id,
      object: "model",
      created: 1,
      owned_by: "llamacpp",
      meta: {
        n_ctx_train: model.trained,
        ...(machine.has("no window") ? {} : { n_ctx: model.window }),
        n_params: Number.parseFloat(model.size) * 1e9,
      },
    })),
  });

export const llamaCpp: Kind = {
  base: "",
  port: 8080,
  routes: {
    "GET /health": health,
    "GET /v1/health": health,
    "GET /props": props,
    "GET /slots": slots,
    "GET /v1/models": models,
    "GET /models": models,
    "POST /v1/chat/completions": complete,
    "POST /chat/completions": complete,
    "POST /tokenize": (_, { body }) =>
      Response.json({ tokens: Array.from({ length: tokensIn(String(body.content ?? "")) }, (__, at) => at) }),
    "POST /apply-template": (_, { body }) => Response.json({ prompt: prompt(seenByChat(body)) }),
  },
  missing: () => failed(404, "not_found_error", "File Not Found"),
};

function health(machine: Machine): Response {
  return machine.has("loading")
    ? refuse(machine, { why: "loading", said: "Loading model" })
    : Response.json({ status: "ok" });
}

function props(machine: Machine): Response {
  const [model] = machine.models;
  const can = model?.can ?? [];
  const tools = can.includes("tools") && !machine.has("says no tools");
  return Response.json({
    total_slots: 1,
    model_alias: model?.id,
    default_generation_settings: machine.has("no window") ? {} : { n_ctx: model?.window },
    modalities: { vision: can.includes("vision"), audio: false },
    chat_template: machine.template,
    chat_template_caps: { supports_tools: tools, supports_tool_calls: tools, supports_parallel_tool_calls: tools },
    build_info: "b8681",
  });
}

function slots(machine: Machine): Response {
  const last = machine.counts.at(-1);
  return Response.json([
    {
      id: 0,
      n_ctx: machine.loaded?.window ?? machine.models[0]?.window,
      is_processing: false,
      n_past: last?.prompt ?? 0,
    },
  ]);
}

function refuse(machine: Machine, { why, said, prompt: length, window }: Refusal): Response {
  const status = machine.has("error in 200") ? 200 : undefined;
  switch (why) {
    case "overflow":
      return failed(
        status ?? 400,
        "exceed_context_size_error",
        "the request exceeds the available context size, try increasing it",
        { n_prompt_tokens: length, n_ctx: window },
      );
    case "loading":
      return failed(status ?? 503, "unavailable_error", "Loading model");
    case "tools":
      return failed(status ?? 500, "server_error", "tools param requires --jinja flag");
    case "images":
      return failed(status ?? 500, "server_error", "image input is not supported - this model has no projector");
    case "template":
      return failed(status ?? 500, "server_error", `Jinja Exception: ${said}`);
    default:
      return failed(status ?? 400, "invalid_request_error", said);
  }
}
