import { type Rule, repeated, signatureFor } from "../rule.ts";
import { bool, either, list, num, obj, record, type Shape, str, tagged, word } from "../shape.ts";

export interface AnthropicBody {
  max_tokens: number;
  system?: string | Block[];
  tools?: { name: string; input_schema: Record<string, unknown>; cache_control?: unknown }[];
  thinking?: { type: string; budget_tokens?: number };
  messages: { role: "user" | "assistant"; content: string | Block[] }[];
}
interface Block {
  type: string;
  text?: string;
  thinking?: string;
  signature?: string;
  data?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  is_error?: boolean;
  content?: string | Block[];
  source?: { media_type: string; data: string };
  cache_control?: unknown;
}

const reference = "Messages API reference";
const toolUse = "Tool use: handle tool calls";
const thinkingPage = "Extended thinking";
const vision = "Vision";

const cacheControl = { cache_control: obj({ type: word("ephemeral") }, { ttl: word("5m", "1h") }) };
const text = obj({ type: str, text: str }, cacheControl);
const image = obj({ type: str, source: obj({ type: word("base64"), media_type: str, data: str }) }, cacheControl);
const result = obj(
  { type: str, tool_use_id: str },
  { content: either(str, list(tagged("type", { text, image }))), is_error: bool, ...cacheControl },
);
const userBlock = tagged("type", { text, image, tool_result: result });
const assistantBlock = tagged("type", {
  text,
  tool_use: obj({ type: str, id: str, name: str, input: record }, { ...cacheControl, caller: record }),
  thinking: obj({ type: str, thinking: str, signature: str }),
  redacted_thinking: obj({ type: str, data: str }),
});
const tool = obj(
  { name: str, input_schema: record },
  { type: word("custom"), description: str, eager_input_streaming: bool, strict: bool, ...cacheControl },
);
const shape: Shape = obj(
  {
    model: str,
    max_tokens: num,
    messages: list(
      tagged("role", {
        user: obj({ role: str, content: either(str, list(userBlock)) }),
        assistant: obj({ role: str, content: either(str, list(assistantBlock)) }),
      }),
      1,
    ),
  },
  {
    system: either(str, list(text)),
    tools: list(tool),
    tool_choice: tagged("type", {
      auto: obj({ type: str }, { disable_parallel_tool_use: bool }),
      any: obj({ type: str }, { disable_parallel_tool_use: bool }),
      tool: obj({ type: str, name: str }, { disable_parallel_tool_use: bool }),
      none: obj({ type: str }),
    }),
    thinking: tagged("type", {
      enabled: obj({ type: str, budget_tokens: num }),
      adaptive: obj({ type: str }, { display: word("summarized", "omitted", "updates") }),
      disabled: obj({ type: str }),
    }),
    output_config: obj({}, { effort: word("low", "medium", "high", "xhigh", "max"), format: record }),
    stream: bool,
    temperature: num,
    top_p: num,
    top_k: num,
    stop_sequences: list(str),
    metadata: obj({}, { user_id: str }),
    service_tier: str,
  },
);

const blocksOf = ({ content }: AnthropicBody["messages"][number]): Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;
const allBlocks = (body: AnthropicBody) => body.messages.flatMap(blocksOf);
const inside = (block: Block): Block[] => (Array.isArray(block.content) ? [block, ...block.content] : [block]);
const images = (body: AnthropicBody) =>
  allBlocks(body)
    .flatMap(inside)
    .filter((block) => block.type === "image");
const find = (body: AnthropicBody, type: string): Block =>
  allBlocks(body).find((block) => block.type === type) ?? { type };
const ids = (blocks: readonly Block[], type: string, field: "id" | "tool_use_id") =>
  blocks.flatMap((block) => (block.type === type ? [block[field] ?? ""] : []));

export const anthropicRules: readonly Rule<AnthropicBody>[] = [
  {
    name: "key",
    says: "every request carries the key of the account",
    page: "API overview: authentication",
    status: 401,
    check: ({ headers }) =>
      headers.get("x-api-key") || headers.get("authorization") ? undefined : "x-api-key header is required",
    broken: (_, headers) => headers.delete("x-api-key"),
  },
  {
    name: "version",
    says: "every request names the version of the API it was written for",
    page: "API overview: versions",
    check: ({ headers }) =>
      headers.get("anthropic-version") === "2023-06-01" ? undefined : "anthropic-version: header is required",
    broken: (_, headers) => headers.delete("anthropic-version"),
  },
  {
    name: "shape",
    says: "fields have the documented names and types, unknown ones are refused, and the output limit is required",
    page: reference,
    check: ({ body }) => shape(body, "body"),
    broken: [
      (body) => delete (body as Partial<AnthropicBody>).max_tokens,
      (body) => Object.assign(body, { num_ctx: 1 }),
      (body) => Object.assign(body.messages[0] ?? {}, { role: "system" }),
      (body) =>
        body.messages.push({
          role: "user",
          content: [{ type: "thinking", thinking: "t", signature: signatureFor("t") }],
        }),
    ],
  },
  {
    name: "first role",
    says: "the first message has the role user",
    page: reference,
    check: ({ body }) =>
      body.messages[0]?.role === "user" ? undefined : "messages: first message must use the user role",
    broken: (body) => body.messages.unshift({ role: "assistant", content: "hello" }),
  },
  {
    name: "empty text",
    says: "a text block holds some text that is not whitespace",
    page: reference,
    check: ({ body }) =>
      allBlocks(body)
        .flatMap(inside)
        .some((block) => block.type === "text" && block.text?.trim() === "")
        ? "messages: text content blocks must be non-empty"
        : undefined,
    broken: (body) => body.messages.push({ role: "user", content: [{ type: "text", text: " " }] }),
  },
  {
    name: "empty message",
    says: "every message but a last one of the assistant has content",
    page: reference,
    check: ({ body }) =>
      body.messages.some(({ content }) => content.length === 0)
        ? "messages: all messages must have non-empty content"
        : undefined,
    broken: (body) => body.messages.push({ role: "user", content: [] }),
  },
  {
    name: "call id",
    says: "the id of a tool use is made of letters, digits, underscores and hyphens",
    page: reference,
    check: ({ body }) =>
      ids(allBlocks(body), "tool_use", "id").find((id) => !/^[a-zA-Z0-9_-]{1,64}$/.test(id)) === undefined
        ? undefined
        : "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    broken: (body) => Object.assign(find(body, "tool_use"), { id: "a|b" }),
  },
  {
    name: "call id twice",
    says: "tool use ids are unique within a request",
    page: toolUse,
    check: ({ body }) =>
      repeated(ids(allBlocks(body), "tool_use", "id")) ? "messages: `tool_use` ids must be unique" : undefined,
    broken: (body) => {
      const message = body.messages.find(({ role }) => role === "assistant");
      const block = find(body, "tool_use");
      if (message && typeof message.content !== "string") message.content.push({ ...block });
    },
  },
  {
    name: "unanswered call",
    says: "every tool use has its result in the next message",
    page: toolUse,
    check: ({ body }) =>
      body.messages.some((message, at) => {
        const next = body.messages[at + 1];
        const answered = next?.role === "user" ? ids(blocksOf(next), "tool_result", "tool_use_id") : [];
        return ids(blocksOf(message), "tool_use", "id").some((id) => !answered.includes(id));
      })
        ? "`tool_use` ids were found without `tool_result` blocks immediately after"
        : undefined,
    broken: (body) => {
      const at = body.messages.findIndex((message) => ids(blocksOf(message), "tool_result", "tool_use_id").length > 0);
      const message = body.messages[at];
      if (message && typeof message.content !== "string") message.content = message.content.slice(1);
    },
  },
  {
    name: "result without call",
    says: "every tool result answers a tool use of the message before it, once",
    page: toolUse,
    check: ({ body }) =>
      body.messages.some((message, at) => {
        const before = body.messages[at - 1];
        const called = before ? ids(blocksOf(before), "tool_use", "id") : [];
        const results = ids(blocksOf(message), "tool_result", "tool_use_id");
        return repeated(results) !== undefined || results.some((id) => !called.includes(id));
      })
        ? "unexpected `tool_use_id` found in `tool_result` blocks"
        : undefined,
    broken: (body) =>
      body.messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_none", content: "x" }] }),
  },
  {
    name: "results first",
    says: "in a message with tool results, these come before any other content",
    page: toolUse,
    check: ({ body }) =>
      body.messages.some((message) => {
        const blocks = blocksOf(message);
        return (
          blocks.findLastIndex(({ type }) => type === "tool_result") >
            blocks.findIndex(({ type }) => type !== "tool_result") && blocks[0]?.type !== "tool_result"
        );
      })
        ? "tool_result blocks must come first in the content array"
        : undefined,
    broken: (body) => {
      const message = body.messages.find((message) => ids(blocksOf(message), "tool_result", "tool_use_id").length > 0);
      if (message && typeof message.content !== "string") message.content.unshift({ type: "text", text: "before" });
    },
  },
  {
    name: "failed result",
    says: "the result of a failed call holds text only",
    page: toolUse,
    check: ({ body }) =>
      allBlocks(body).some((block) => block.is_error && inside(block).some(({ type }) => type === "image"))
        ? "tool_result: all content must be type `text` if `is_error` is true"
        : undefined,
    broken: (body) => {
      const block = allBlocks(body).find(
        ({ type, content }) =>
          type === "tool_result" && Array.isArray(content) && content.some((block) => block.type === "image"),
      );
      Object.assign(block ?? {}, { is_error: true });
    },
  },
  {
    name: "empty failure",
    says: "the result of a failed call says something",
    page: toolUse,
    check: ({ body }) =>
      allBlocks(body).some((block) => block.is_error && (block.content === undefined || block.content.length === 0))
        ? "tool_result: content cannot be empty if `is_error` is true"
        : undefined,
    broken: (body) => Object.assign(find(body, "tool_result"), { is_error: true, content: [] }),
  },
  {
    name: "tools named",
    says: "a request with tool blocks defines tools",
    page: toolUse,
    check: ({ body }) =>
      (body.tools?.length ?? 0) > 0 || !allBlocks(body).some(({ type }) => type.startsWith("tool_"))
        ? undefined
        : "Requests which include `tool_use` or `tool_result` blocks must define tools",
    broken: (body) => delete body.tools,
  },
  {
    name: "tool name",
    says: "tool names have up to 128 letters, digits, underscores and hyphens, and are unique",
    page: toolUse,
    check: ({ body }) => {
      const names = (body.tools ?? []).map(({ name }) => name);
      return repeated(names) || names.some((name) => !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
        ? "tools.name: not a valid unique name"
        : undefined;
    },
    broken: (body) => Object.assign(body.tools?.[0] ?? {}, { name: "a b" }),
  },
  {
    name: "tool schema",
    says: "the input schema of a tool describes an object",
    page: toolUse,
    check: ({ body }) =>
      body.tools?.some(({ input_schema }) => input_schema.type !== "object")
        ? "tools.input_schema.type: Input should be 'object'"
        : undefined,
    broken: (body) => Object.assign(body.tools?.[0] ?? {}, { input_schema: { type: "array" } }),
  },
  {
    name: "signature",
    says: "thinking blocks come back unchanged, with the signature they were sent with",
    page: thinkingPage,
    check: ({ body }) =>
      allBlocks(body).some(
        (block) =>
          (block.type === "thinking" && block.signature !== signatureFor(block.thinking ?? "")) ||
          (block.type === "redacted_thinking" && !block.data?.startsWith("redacted:")),
      )
        ? "Invalid `signature` in `thinking` block"
        : undefined,
    broken: (body) => Object.assign(find(body, "thinking"), { signature: "bm90IG91cnM=" }),
  },
  {
    name: "thinking last",
    says: "a thinking block is not the last block of a reply",
    page: thinkingPage,
    check: ({ body }) =>
      body.messages.some((message) => blocksOf(message).at(-1)?.type.endsWith("thinking"))
        ? "The final block in an assistant message cannot be `thinking`"
        : undefined,
    broken: (body) => {
      body.messages.push(
        { role: "assistant", content: [{ type: "thinking", thinking: "t", signature: signatureFor("t") }] },
        { role: "user", content: "go on" },
      );
    },
  },
  {
    name: "budget",
    says: "the thinking budget is at least 1,024 and less than the output limit",
    page: thinkingPage,
    check: ({ body: { thinking, max_tokens } }) =>
      thinking?.budget_tokens !== undefined && (thinking.budget_tokens < 1024 || thinking.budget_tokens >= max_tokens)
        ? "`max_tokens` must be greater than `thinking.budget_tokens`"
        : undefined,
    broken: (body) => Object.assign(body, { thinking: { type: "enabled", budget_tokens: body.max_tokens } }),
  },
  {
    name: "thinking first",
    says: "with a thinking budget, the reply whose calls are answered begins with a thinking block",
    page: thinkingPage,
    check: ({ body }) => {
      const [reply, results] = body.messages.slice(-2);
      if (
        body.thinking?.type !== "enabled" ||
        !results ||
        !reply ||
        ids(blocksOf(results), "tool_result", "tool_use_id").length === 0
      )
        return undefined;
      return blocksOf(reply)[0]?.type.endsWith("thinking")
        ? undefined
        : "Expected `thinking` or `redacted_thinking`, but found `tool_use`";
    },
    broken: (body) => {
      Object.assign(body, { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 4096 });
      body.messages.push(
        { role: "assistant", content: [{ type: "tool_use", id: "toolu_bare", name: "read", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_bare", content: "x" }] },
      );
    },
  },
  {
    name: "cache marks",
    says: "at most four blocks carry cache_control",
    page: "Prompt caching",
    check: ({ raw }) =>
      raw.split('"cache_control"').length > 5 ? "A maximum of 4 blocks with cache_control may be provided" : undefined,
    broken: (body) => {
      const marked = Array.from({ length: 5 }, () => ({
        type: "text",
        text: "x",
        cache_control: { type: "ephemeral" },
      }));
      body.messages.push({ role: "user", content: marked });
    },
  },
  {
    name: "image type",
    says: "images are JPEG, PNG, GIF or WebP",
    page: vision,
    check: ({ body }) =>
      images(body).some(({ source }) => !/^image\/(jpeg|png|gif|webp)$/.test(source?.media_type ?? ""))
        ? "image.source.media_type: not supported"
        : undefined,
    broken: (body) => Object.assign(images(body)[0]?.source ?? {}, { media_type: "image/tiff" }),
  },
  {
    name: "image size",
    says: "an image has at most 5 MB, in base64",
    page: vision,
    check: ({ body }) =>
      images(body).some(({ source }) => (source?.data.length ?? 0) > 5 * 1024 * 1024)
        ? "image exceeds 5 MB maximum"
        : undefined,
    broken: (body) => Object.assign(images(body)[0]?.source ?? {}, { data: "A".repeat(5_300_000) }),
  },
  {
    name: "image count",
    says: "a request holds at most 100 images",
    page: vision,
    check: ({ body }) => (images(body).length > 100 ? "too many images" : undefined),
    broken: (body) => {
      const image: Block = {
        type: "image",
        source: { type: "base64", media_type: "image/png", data: "aGk=" } as Block["source"],
      };
      body.messages.push({ role: "user", content: Array.from({ length: 101 }, () => ({ ...image })) });
    },
  },
  {
    name: "request size",
    says: "a request has at most 32 MB",
    page: "Errors",
    status: 413,
    check: ({ raw }) => (raw.length > 32 * 1024 * 1024 ? "Request exceeds the maximum size" : undefined),
    broken: (body) => body.messages.push({ role: "user", content: "x".repeat(33 * 1024 * 1024) }),
  },
];
