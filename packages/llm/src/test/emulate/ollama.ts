import { type OllamaBody, ollamaFake, ollamaLines } from "../fake/ollama.ts";
import { refusalOf } from "../rule.ts";
import { type Asked, type Kind, streamed } from "./kind.ts";
import type { Machine, Refusal } from "./machine.ts";
import { digestOf, type Weights } from "./model.ts";
import { chat as completion } from "./openai.ts";
import { seenByOllama } from "./seen.ts";

const words: Readonly<Record<Refusal["why"], (refusal: Refusal) => readonly [status: number, error: string]>> = {
  overflow: () => [400, "the prompt exceeds the context length of the model"],
  template: ({ said }) => [500, `template: ${said}`],
  tools: ({ said }) => [400, `registry.ollama.ai/library/${said} does not support tools`],
  thinking: ({ said }) => [400, `"${said}" does not support thinking`],
  images: ({ said }) => [500, `${said} cannot take images: this model is missing data required for image input`],
  missing: ({ said }) => [404, `model '${said}' not found`],
  loading: () => [503, "server busy, please try again. maximum pending requests exceeded"],
  invalid: ({ said }) => [400, said],
};
/** Rules without those that depend on the loaded model. */
const rules = ollamaFake.rules.filter(({ name }) => name !== "thinking" && name !== "tools");

export const ollama: Kind = {
  base: "",
  port: 11_434,
  // Ollama cuts silently.
  quirks: ["silent cut"],
  routes: {
    "GET /": () => new Response("Ollama is running"),
    "HEAD /": () => new Response(null),
    "GET /api/version": () => Response.json({ version: "0.12.6" }),
    "GET /api/tags": (machine) => Response.json({ models: machine.models.map(listed) }),
    "GET /api/ps": (machine) => Response.json({ models: running(machine) }),
    "POST /api/show": show,
    "POST /api/chat": chat,
    "POST /api/generate": generate,
    "GET /v1/models": (machine) =>
      Response.json({ object: "list", data: machine.models.map(({ id }) => ({ id, object: "model", created: 1 })) }),
    "POST /v1/chat/completions": (machine, asked) =>
      completion(machine, asked, {
        model: (from, id) => from.find(id),
        refuse(refusal) {
          const [status, message] = words[refusal.why](refusal);
          return Response.json({ error: { message, type: "api_error", param: null, code: null } }, { status });
        },
        cached: "kept",
        usage: "asked",
      }),
  },
  missing: () => new Response("404 page not found", { status: 404 }),
};

const details = ({ family, size }: Weights) => ({
  parent_model: "",
  format: "gguf",
  family,
  families: [family],
  parameter_size: size,
  quantization_level: "Q4_K_M",
});
const listed = (model: Weights) => ({
  name: model.id,
  model: model.id,
  modified_at: "2026-01-01T00:00:00Z",
  size: 5_200_000_000,
  digest: digestOf(model),
  details: details(model),
});

function running(machine: Machine): object[] {
  const { loaded } = machine;
  const model = machine.find(loaded?.id);
  if (!loaded || !model) return [];
  const { modified_at: _, ...row } = listed(model);
  const expires_at = "2026-01-01T00:05:00Z";
  return [
    { ...row, expires_at, size_vram: row.size, ...(machine.has("no window") ? {} : { context_length: loaded.window }) },
  ];
}

function show(machine: Machine, { body }: Asked): Response {
  const model = machine.find(body.model ?? body.name);
  if (!model) return refuse(machine, { why: "missing", said: String(body.model) });
  const can = machine.has("says no tools") ? model.can.filter((name) => name !== "tools") : model.can;
  return Response.json({
    modelfile: `FROM ${model.id}`,
    parameters: "",
    template: "{{ .Prompt }}",
    details: details(model),
    model_info: {
      "general.architecture": model.family,
      ...(machine.has("no window") ? {} : { [`${model.family}.context_length`]: model.trained }),
    },
    capabilities: ["completion", ...can],
    modified_at: "2026-01-01T00:00:00Z",
  });
}

function chat(machine: Machine, { body, raw, request, url }: Asked): Response {
  // An empty conversation loads a model, or puts it away.
  if (Array.isArray(body.messages) && body.messages.length === 0) return generate(machine, { body, raw, request, url });
  const wrong = refusalOf(rules, { body: body as unknown as OllamaBody, headers: request.headers, url, raw });
  if (wrong) return refuse(machine, { why: "invalid", said: wrong.message });
  const model = machine.find(body.model);
  if (!model) return refuse(machine, { why: "missing", said: String(body.model) });
  const answer = machine.answer(seenByOllama(body), model, machine.window(model, windowOf(body)));
  if ("why" in answer) return refuse(machine, answer, "noted");
  const { scene, counts } = answer;
  const figures = { prompt_eval_count: machine.told(counts), eval_count: counts.output };
  const lines = machine.sent(ollamaLines(scene, model.id, figures));
  if (body.keep_alive === 0) machine.unload();
  if (body.stream === false) {
    const calls = (scene.calls ?? []).map(({ name, args }) => ({ function: { name, arguments: args } }));
    const message = {
      role: "assistant",
      content: scene.text ?? "",
      ...(scene.thinking ? { thinking: scene.thinking } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return Response.json({ ...lines.at(-1), message });
  }
  const frames = lines.map((line) => `${JSON.stringify(line)}\n`);
  if (!machine.has("error in stream")) return streamed(frames, "application/x-ndjson");
  const broken = `${JSON.stringify({ error: "an error was encountered while running the model" })}\n`;
  return streamed([...frames.slice(0, frames.length >> 1), broken], "application/x-ndjson");
}

function generate(machine: Machine, { body }: Asked): Response {
  const model = machine.find(body.model);
  if (!model) return refuse(machine, { why: "missing", said: String(body.model) });
  const head = { model: model.id, created_at: "2026-01-01T00:00:00Z", done: true };
  if (!body.prompt) {
    if (body.keep_alive === 0) machine.unload();
    else machine.load(model, machine.window(model, windowOf(body)));
    return Response.json({ ...head, response: "", done_reason: body.keep_alive === 0 ? "unload" : "load" });
  }
  const messages = [{ role: "user", content: body.prompt }];
  const answer = machine.answer(seenByOllama({ ...body, messages }), model, machine.window(model, windowOf(body)));
  if ("why" in answer) return refuse(machine, answer, "noted");
  const { scene, counts } = answer;
  return Response.json({
    ...head,
    response: scene.text ?? "",
    done_reason: "stop",
    prompt_eval_count: machine.told(counts),
    eval_count: counts.output,
  });
}

const windowOf = (body: Asked["body"]): number | undefined =>
  (body.options as { num_ctx?: number } | undefined)?.num_ctx;

function refuse(machine: Machine, refusal: Refusal, already?: "noted"): Response {
  if (!already) machine.refusals.push(refusal);
  const [status, error] = words[refusal.why](refusal);
  return Response.json({ error }, { status: machine.has("error in 200") ? 200 : status });
}
