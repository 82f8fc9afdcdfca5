import type { Asked, Kind } from "./kind.ts";
import type { Machine, Refusal } from "./machine.ts";
import { chat } from "./openai.ts";
import { seenByChat } from "./seen.ts";
import { tokensIn } from "./slot.ts";
import { prompt } from "./template.ts";

export const vllm: Kind = {
  base: "/v1",
  port: 8000,
  routes: {
    "GET /health": (machine) => new Response(null, { status: machine.has("loading") ? 503 : 200 }),
    "GET /version": () => Response.json({ version: "0.11.0" }),
    "GET /v1/models": (machine) =>
      Response.json({
        object: "list",
        data: machine.models.map(({ id, window }) => ({
          id,
          object: "model",
          created: 1,
          owned_by: "vllm",
          root: id,
          parent: null,
          ...(machine.has("no window") ? {} : { max_model_len: window }),
        })),
      }),
    "POST /tokenize": (_, { body }) => {
      const count = tokensIn(body.messages ? prompt(seenByChat(body)) : String(body.prompt ?? ""));
      return Response.json({ count, tokens: Array.from({ length: count }, (__, at) => at) });
    },
    "POST /v1/chat/completions": (machine, asked) =>
      chat(machine, asked, {
        model: (from, id) => from.find(id),
        refuse: (refusal) => refuse(machine, refusal, asked),
        cached: "told",
        usage: "asked",
      }),
  },
  missing: () => Response.json({ detail: "Not Found" }, { status: 404 }),
};

function refuse(machine: Machine, { why, said, prompt: length, window }: Refusal, { body }: Asked): Response {
  const text: Readonly<Partial<Record<Refusal["why"], string>>> = {
    overflow:
      `This model's maximum context length is ${window} tokens. However, your request has ${length} input tokens. ` +
      "Please reduce the length of the input messages.",
    tools: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    missing: `The model \`${said}\` does not exist.`,
    images: `${body.model} is not a multimodal model`,
  };
  const [status, type] =
    why === "missing"
      ? [404, "NotFoundError"]
      : why === "loading"
        ? [503, "ServiceUnavailable"]
        : [400, "BadRequestError"];
  return Response.json(
    { error: { message: text[why] ?? said, type, param: null, code: status } },
    { status: machine.has("error in 200") ? 200 : status },
  );
}
