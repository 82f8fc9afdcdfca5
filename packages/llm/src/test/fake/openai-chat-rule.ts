import { type Rule, repeated } from "../rule.ts";
import { bool, either, list, nil, num, obj, record, str, tagged, word } from "../shape.ts";

export interface ChatBody {
  model: string;
  stream?: boolean;
  stream_options?: unknown;
  max_completion_tokens?: number;
  tools?: { function: { name: string; description?: string; parameters?: Record<string, unknown> } }[];
  messages: ChatMessage[];
}
interface ChatMessage {
  role: string;
  content?: string | null | ChatPart[];
  tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}
interface ChatPart {
  type: string;
  text?: string;
  image_url?: { url: string };
}

const reference = "Chat Completions API reference";
const calling = "Function calling guide";
const vision = "Images and vision guide";

const text = obj({ type: str, text: str });
const words = either(str, list(text, 1));
const call = obj({ id: str, type: word("function"), function: obj({ name: str, arguments: str }) });
const message = tagged("role", {
  system: obj({ role: str, content: words }, { name: str }),
  developer: obj({ role: str, content: words }, { name: str }),
  user: obj(
    {
      role: str,
      content: either(
        str,
        list(tagged("type", { text, image_url: obj({ type: str, image_url: obj({ url: str }, { detail: str }) }) }), 1),
      ),
    },
    { name: str },
  ),
  assistant: obj(
    { role: str },
    {
      content: either(nil, words),
      tool_calls: list(call, 1),
      refusal: either(nil, str),
      name: str,
      reasoning_content: str,
    },
  ),
  tool: obj({ role: str, tool_call_id: str, content: words }),
});
const shape = obj(
  { model: str, messages: list(message, 1) },
  {
    stream: bool,
    stream_options: obj({}, { include_usage: bool, include_obfuscation: bool }),
    store: bool,
    tools: list(
      obj({
        type: word("function"),
        function: obj({ name: str }, { description: str, parameters: record, strict: either(bool, nil) }),
      }),
    ),
    tool_choice: either(word("none", "auto", "required"), record),
    parallel_tool_calls: bool,
    max_tokens: num,
    max_completion_tokens: num,
    reasoning_effort: word("none", "minimal", "low", "medium", "high", "xhigh", "max"),
    temperature: num,
    top_p: num,
    stop: either(str, list(str)),
    seed: num,
    user: str,
    metadata: record,
    response_format: record,
    prompt_cache_key: str,
    prompt_cache_retention: str,
    service_tier: str,
    verbosity: str,
    frequency_penalty: num,
    presence_penalty: num,
    n: num,
    logprobs: bool,
  },
);

const images = (body: ChatBody) =>
  body.messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.flatMap((part) => (part.image_url ? [part.image_url] : [])) : [],
  );
const callsOf = (message: ChatMessage | undefined) => (message?.tool_calls ?? []).map(({ id }) => id);
const firstCall = (body: ChatBody) => body.messages.find(({ tool_calls }) => tool_calls)?.tool_calls?.[0];

export const chatRules: readonly Rule<ChatBody>[] = [
  {
    name: "key",
    says: "every request carries the key as a bearer token",
    page: "API reference: authentication",
    status: 401,
    check: ({ headers }) =>
      /^Bearer \S/.test(headers.get("authorization") ?? "") ? undefined : "You didn't provide an API key",
    broken: (_, headers) => headers.delete("authorization"),
  },
  {
    name: "shape",
    says: "fields have the documented names and types, unknown ones are refused, and lists of calls are not empty",
    page: reference,
    check: ({ body }) => shape(body, "body"),
    broken: [
      (body) => delete (body as Partial<ChatBody>).messages,
      (body) => Object.assign(body, { num_ctx: 1 }),
      (body) => body.messages.push({ role: "assistant", content: "x", tool_calls: [] }),
      (body) => Object.assign(firstCall(body)?.function ?? {}, { arguments: { path: "a" } }),
      (body) => body.messages.push({ role: "user", content: null }),
    ],
  },
  {
    name: "stream options",
    says: "stream_options may be set only when stream is true",
    page: reference,
    check: ({ body }) =>
      body.stream_options && !body.stream
        ? "The 'stream_options' parameter is only allowed when 'stream' is enabled"
        : undefined,
    broken: (body) => Object.assign(body, { stream: false, stream_options: {} }),
  },
  {
    name: "empty reply",
    says: "a reply has content unless it has tool calls",
    page: reference,
    check: ({ body }) =>
      body.messages.some(
        ({ role, content, tool_calls }) =>
          role === "assistant" && (content === null || content === undefined) && !tool_calls,
      )
        ? "assistant message must have either content or tool_calls"
        : undefined,
    broken: (body) => body.messages.push({ role: "assistant", content: null }),
  },
  {
    name: "unanswered call",
    says: "a reply with tool calls is followed by a tool message for each of them",
    page: calling,
    check: ({ body: { messages } }) =>
      messages.some((message, at) => {
        const end = messages.findIndex(({ role }, next) => next > at && role !== "tool");
        const answered = messages.slice(at + 1, end === -1 ? undefined : end).map(({ tool_call_id }) => tool_call_id);
        return callsOf(message).some((id) => !answered.includes(id));
      })
        ? "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'"
        : undefined,
    broken: [
      (body) =>
        body.messages.splice(
          body.messages.findIndex(({ role }) => role === "tool"),
          1,
        ),
      (body) =>
        body.messages.splice(
          body.messages.findIndex(({ role }) => role === "tool"),
          0,
          { role: "user", content: "between" },
        ),
    ],
  },
  {
    name: "result without call",
    says: "a tool message answers a call of the reply before it, once",
    page: calling,
    check: ({ body: { messages } }) =>
      messages.some((message, at) => {
        if (message.role !== "tool") return false;
        const start = messages.findLastIndex(({ role }, before) => before < at && role !== "tool");
        const earlier = messages.slice(start + 1, at).map(({ tool_call_id }) => tool_call_id);
        return !callsOf(messages[start]).includes(message.tool_call_id ?? "") || earlier.includes(message.tool_call_id);
      })
        ? "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'"
        : undefined,
    broken: (body) => body.messages.push({ role: "tool", tool_call_id: "call_none", content: "x" }),
  },
  {
    name: "call id",
    says: "the id of a call has at most 40 characters",
    page: reference,
    check: ({ body }) =>
      body.messages.flatMap(callsOf).some((id) => id.length > 40 || id === "")
        ? "Invalid 'tool_calls.id': string too long"
        : undefined,
    broken: (body) => {
      const id = "x".repeat(41);
      const call = firstCall(body);
      for (const message of body.messages) if (message.tool_call_id === call?.id) message.tool_call_id = id;
      Object.assign(call ?? {}, { id });
    },
  },
  {
    name: "call id twice",
    says: "the calls of a reply have different ids",
    page: calling,
    check: ({ body }) =>
      body.messages.some((message) => repeated(callsOf(message))) ? "Duplicate value for 'tool_call_id'" : undefined,
    broken: (body) => {
      const message = body.messages.find(({ tool_calls }) => tool_calls);
      const call = firstCall(body);
      if (call) message?.tool_calls?.push({ ...call });
    },
  },
  {
    name: "tool name",
    says: "names of functions have up to 64 letters, digits, underscores and hyphens",
    page: calling,
    check: ({ body }) => {
      const names = [
        ...(body.tools ?? []).map((tool) => tool.function.name),
        ...body.messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name)),
      ];
      return names.some((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
        ? "Invalid 'function.name': string does not match pattern"
        : undefined;
    },
    broken: [
      (body) => Object.assign(body.tools?.[0]?.function ?? {}, { name: "a b" }),
      (body) => Object.assign(firstCall(body)?.function ?? {}, { name: "a.b" }),
    ],
  },
  {
    name: "output limit",
    says: "the output limit is a positive whole number",
    page: reference,
    check: ({ body: { max_completion_tokens: limit } }) =>
      limit !== undefined && (limit < 1 || !Number.isInteger(limit))
        ? "Invalid 'max_completion_tokens': integer below minimum value"
        : undefined,
    broken: (body) => Object.assign(body, { max_completion_tokens: 0 }),
  },
  {
    name: "image type",
    says: "images are PNG, JPEG, WebP or GIF, as an address or a base64 data URL",
    page: vision,
    check: ({ body }) =>
      images(body).some(({ url }) => !/^(https?:|data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+=*$)/.test(url))
        ? "You uploaded an unsupported image"
        : undefined,
    broken: (body) => Object.assign(images(body)[0] ?? {}, { url: "data:image/tiff;base64,aGk=" }),
  },
  {
    name: "image count",
    says: "a request holds at most 500 images",
    page: vision,
    check: ({ body }) => (images(body).length > 500 ? "Too many images in request" : undefined),
    broken: (body) =>
      body.messages.push({
        role: "user",
        content: Array.from({ length: 501 }, () => ({
          type: "image_url",
          image_url: { url: "data:image/png;base64,aGk=" },
        })),
      }),
  },
  {
    name: "request size",
    says: "the images of a request have at most 50 MB together",
    page: vision,
    status: 413,
    check: ({ raw }) => (raw.length > 50 * 1024 * 1024 ? "Request too large" : undefined),
    broken: (body) =>
      Object.assign(images(body)[0] ?? {}, { url: `data:image/png;base64,${"A".repeat(51 * 1024 * 1024)}` }),
  },
];
