import { type Asked, type Kind, streamed } from "./kind.ts";
import type { Machine, Refusal } from "./machine.ts";
import type { Weights } from "./model.ts";
import { chat } from "./openai.ts";

const complete = (machine: Machine, asked: Asked) =>
  chat(machine, asked, {
    model: (from, id) => from.find(id),
    refuse: (refusal) => refuse(machine, refusal, asked),
    cached: "kept",
    usage: "asked",
  });

export const lmStudio: Kind = {
  base: "/v1",
  port: 1234,
  routes: {
    "GET /v1/models": ({ models }) =>
      Response.json({
        object: "list",
        data: models.map(({ id }) => ({ id, object: "model", owned_by: "organization_owner" })),
      }),
    "GET /api/v0/models": (machine) =>
      Response.json({ object: "list", data: machine.models.map((model) => listed(machine, model)) }),
    "GET /api/v0/models/*": (machine, { url }) => {
      const id = decodeURIComponent(url.pathname.slice("/api/v0/models/".length));
      const model = machine.find(id);
      return model ? Response.json(listed(machine, model)) : wrong(404, `No model found with path ${id}`);
    },
    "POST /v1/chat/completions": complete,
    "POST /api/v0/chat/completions": complete,
  },
  // Unknown paths are answered with success.
  missing: ({ request, url }) =>
    Response.json({ error: `Unexpected endpoint or method. (${request.method} ${url.pathname})` }),
};

function listed(machine: Machine, model: Weights): object {
  const loaded = machine.loaded?.id === model.id;
  const windows = { max_context_length: model.trained, loaded_context_length: model.window };
  return {
    id: model.id,
    object: "model",
    type: model.can.includes("vision") ? "vlm" : "llm",
    publisher: "emulated",
    arch: model.family,
    compatibility_type: "gguf",
    quantization: "Q4_K_M",
    state: loaded ? "loaded" : "not-loaded",
    ...(machine.has("no window") ? {} : windows),
    capabilities: model.can.includes("tools") && !machine.has("says no tools") ? ["tool_use"] : [],
  };
}

/** Sends an error: after the model has the request, it is an event of a stream that began well. */
function refuse(machine: Machine, { why, said, prompt, window }: Refusal, { body }: Asked): Response {
  const status = machine.has("error in 200") ? 200 : 400;
  const text: Readonly<Partial<Record<Refusal["why"], string>>> = {
    overflow:
      `The prompt has ${prompt} tokens, and the context overflows: the model was loaded with a context length of ` +
      `only ${window} tokens. Load it with a larger context length, or shorten the input.`,
    template: `Error rendering prompt with jinja template: "${said}"`,
    missing: `Model "${said}" was not found, or could not be loaded`,
    images: `Model ${said} does not support images`,
    tools: `Model ${said} does not support tools`,
    loading: "Model is loading",
  };
  const message = text[why] ?? said;
  if (body.stream !== true || (why !== "overflow" && why !== "template")) return wrong(status, message);
  return streamed([`event: error\ndata: ${JSON.stringify({ error: { message } })}\n\n`], "text/event-stream");
}

const wrong = (status: number, message: string): Response =>
  Response.json({ error: { message, type: "invalid_request_error", param: null, code: null } }, { status });
