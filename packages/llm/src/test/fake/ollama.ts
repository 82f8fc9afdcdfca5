import { type Fake, pieces, type Scene, tokens } from "../fake.ts";
import type { Rule } from "../rule.ts";
import { bool, either, list, num, obj, record, str, word } from "../shape.ts";

export interface OllamaBody {
  model: string;
  think?: boolean | string;
  tools?: { function: { name: string } }[];
  options?: Record<string, unknown>;
  messages: OllamaMessage[];
}
interface OllamaMessage {
  role: string;
  content: string;
  images?: string[];
  tool_calls?: { function: { name: string; arguments: unknown } }[];
  tool_name?: string;
  thinking?: string;
}

const page = "Ollama API: generate a chat completion";

const message = obj(
  { role: str, content: str },
  {
    images: list(str),
    thinking: str,
    tool_name: str,
    tool_call_id: str,
    tool_calls: list(obj({ function: obj({ name: str }, { arguments: record, index: num }) }, { id: str })),
  },
);
const shape = obj(
  { model: str, messages: list(message, 1) },
  {
    stream: bool,
    think: either(bool, word("low", "medium", "high")),
    keep_alive: either(str, num),
    format: either(str, record),
    options: record,
    tools: list(obj({ type: word("function"), function: obj({ name: str, description: str, parameters: record }) })),
  },
);

const rules: readonly Rule<OllamaBody>[] = [
  {
    name: "shape",
    says: "fields have the documented types, and arguments of calls are objects",
    page,
    check: ({ body }) => shape(body, "body"),
    broken: [
      (body) => delete (body as Partial<OllamaBody>).model,
      (body) =>
        Object.assign(body.messages.find(({ tool_calls }) => tool_calls)?.tool_calls?.[0]?.function ?? {}, {
          arguments: "{}",
        }),
      (body) => Object.assign(body.messages[0] ?? {}, { content: [{ type: "text", text: "x" }] }),
    ],
  },
  {
    name: "role",
    says: "a role is system, user, assistant or tool",
    page,
    check: ({ body }) =>
      body.messages.some(({ role }) => !["system", "user", "assistant", "tool"].includes(role))
        ? "invalid role"
        : undefined,
    broken: (body) => Object.assign(body.messages[0] ?? {}, { role: "developer" }),
  },
  {
    name: "result name",
    says: "a tool result names the tool that was executed, and follows a call of it",
    page,
    check: ({ body: { messages } }) =>
      messages.some(({ role, tool_name }, at) => {
        if (role !== "tool") return false;
        const reply = messages.findLast((other, before) => before < at && other.role === "assistant");
        return !reply?.tool_calls?.some((call) => call.function.name === tool_name);
      })
        ? "tool message without a tool call of that name"
        : undefined,
    broken: (body) => body.messages.push({ role: "tool", content: "x", tool_name: "none" }),
  },
  {
    name: "image data",
    says: "images are base64 without anything before it",
    page,
    check: ({ body }) =>
      body.messages.some(({ images = [] }) => images.some((image) => !/^[A-Za-z0-9+/]+=*$/.test(image)))
        ? "illegal base64 data at input byte 0"
        : undefined,
    broken: (body) => body.messages.push({ role: "user", content: "look", images: ["data:image/png;base64,aGk="] }),
  },
  {
    name: "thinking",
    says: "thinking may be asked of models that can",
    page: "Ollama: thinking",
    check: ({ body }) =>
      body.think && body.model.includes("plain") ? `"${body.model}" does not support thinking` : undefined,
    broken: (body) => Object.assign(body, { model: "plain", think: true }),
  },
  {
    name: "tools",
    says: "tools may be given to models that can call them",
    page: "Ollama: tool calling",
    check: ({ body }) =>
      (body.tools?.length ?? 0) > 0 && body.model.includes("wordy")
        ? `"${body.model}" does not support tools`
        : undefined,
    broken: (body) => Object.assign(body, { model: "wordy" }),
  },
];

/** A scene as the lines of an answer; the last one counts. */
export function ollamaLines({ thinking, text, calls = [], stop }: Scene, model: string, counts: object): object[] {
  const line = (message: object, more: object = {}) => ({
    model,
    created_at: "2026-01-01T00:00:00Z",
    message: { role: "assistant", content: "", ...message },
    done: false,
    ...more,
  });
  return [
    ...pieces(thinking ?? "").map((piece) => line({ thinking: piece })),
    ...pieces(text ?? "").map((piece) => line({ content: piece })),
    ...calls.map(({ name, args }) => line({ tool_calls: [{ function: { name, arguments: args } }] })),
    line({}, { done: true, done_reason: stop ?? "stop", total_duration: 1, load_duration: 1, ...counts }),
  ];
}

export const ollamaFake: Fake<OllamaBody> = {
  api: "ollama-chat",
  base: "",
  path: /^\/api\/chat$/,
  contentType: "application/x-ndjson",
  rules,
  ping: "\n",
  frames: (scene) =>
    ollamaLines(scene, "fake-model", { prompt_eval_count: tokens.fresh, eval_count: tokens.output }).map(
      (line) => `${JSON.stringify(line)}\n`,
    ),
  error(kind, message) {
    const { status, text } = errors[kind];
    return { status, body: { error: message || text } };
  },
  overload: `${JSON.stringify({ error: "server busy, please try again. maximum pending requests exceeded" })}\n`,
};

const errors = {
  rate: { status: 429, text: "" },
  server: { status: 500, text: "" },
  overflow: { status: 400, text: "the prompt exceeds the context length of the model" },
  rejected: { status: 400, text: "" },
  auth: { status: 401, text: "unauthorized" },
};
