import type { AssistantMessage, Image, Message, Text, ToolCall, ToolResultMessage } from "../../message/message.ts";
import type { Request, ToolSpec } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import { type CallIdRule, callId } from "../call-id.ts";
import { parseObject } from "../decode.ts";
import { replyText } from "../describe.ts";
import {
  argumentsJson,
  asJson,
  bodyWithList,
  demandedTool,
  forbidsCalls,
  jsonItems,
  openObject,
  toolName,
} from "../encode.ts";
import { type EncodeCache, encodeWith } from "../encode-cache.ts";
import { thinkingFields } from "./thinking.ts";

interface Encoded {
  /** Empty when there is nothing to send. */
  json: string;
  images?: string;
}
type ChatCache = EncodeCache<Encoded>;

/**
 * Writes the request body. Messages come last and are encoded once, so each body begins with the body of the step
 * before.
 */
export const chatEncoder = (defaults: Compat) =>
  encodeWith<Encoded>(
    defaults,
    {
      user: ({ content }, cache) => ({ json: encodeUser(cache.parts(content), "plain") }),
      assistant: (message, cache) => ({ json: encodeAssistant(message, cache) }),
      toolResult: encodeResult,
    },
    encodeBody,
  );

function encodeBody(request: Request, cache: ChatCache): string[] {
  const { compat, model } = cache;
  const marks = compat.cacheControlFormat === "anthropic" && compat.cacheRetention !== "none";
  const isFree = model.vendor === "openai" || !model.reasoning || request.effort === "off";
  const tool = demandedTool(request, compat, isFree);
  const named = tool && { type: "function", function: { name: toolName(tool) } };
  const wanted = forbidsCalls(request, compat) ? "none" : named;
  // Last in the body, so that the prefix stays the same.
  const choice = wanted === undefined ? "" : `,"tool_choice":${JSON.stringify(wanted)}`;
  const messages = conversation(request, cache, marks);
  return bodyWithList(head(request, cache, marks), "messages", messages, `${choice}${responseFormat(request)}`);
}

/** The response format, for local servers only: of other servers it is not known whether they support it. */
const responseFormat = ({ answer, model }: Request): string =>
  answer && model.local
    ? `,"response_format":${JSON.stringify({ type: "json_schema", json_schema: { name: "answer", schema: answer } })}`
    : "";

function head(request: Request, cache: ChatCache, marks: boolean): string {
  const { compat } = cache;
  const text = openObject({
    model: request.model.id,
    stream: true,
    stream_options: compat.supportsUsageInStreaming === false ? undefined : { include_usage: true },
    store: compat.supportsStore ? false : undefined,
    [compat.maxTokensField ?? "max_completion_tokens"]: request.maxOutput,
    ...thinkingFields(request, compat),
    provider: compat.openRouterRouting,
    providerOptions: compat.vercelGatewayRouting && { gateway: compat.vercelGatewayRouting },
    priority: compat.vllmPriority,
    tool_stream: compat.zaiToolStream && request.tools.length > 0 ? true : undefined,
    ...compat.extraBody,
  });
  if (request.tools.length === 0) return text;
  const tools = cache.once(request.tools, encodeTools);
  return `${text},"tools":[${marks ? marked(tools) : tools}]`;
}

function conversation(request: Request, cache: ChatCache, marks: boolean): string[] {
  const messages: string[] = [];
  if (request.system.length > 0)
    messages.push(marks ? markedSystem(request.system, cache) : cache.once(request.system, encodeSystem));
  const history = cache.arranged(request.messages);
  const last = marks ? history.findLastIndex((message) => message.role === "user") : -1;
  let images: string[] = [];
  let after: Message["role"] | undefined;
  const flush = (more = "") => {
    if (images.length > 0)
      messages.push(`{"role":"user","content":[${textPart(imagesLabel)},${images.join(",")}${more}]}`);
    images = [];
  };
  for (let at = 0; at < history.length; at++) {
    const message = history[at] as Message;
    if (message.role === "user" && images.length > 0 && cache.compat.userMessages) {
      flush(`,${cache.parts(message.content).map(encodePart).join(",")}`);
      continue;
    }
    // Results of one batch must be adjacent: their images follow the last of them.
    if (message.role !== "toolResult") flush();
    const encoded =
      at === last && message.role === "user"
        ? { json: encodeUser(cache.parts(message.content), "marked") }
        : cache.message(message);
    if (encoded.json === "") continue;
    if (cache.compat.requiresAssistantAfterToolResult && message.role === "user" && after === "toolResult")
      messages.push(bridge);
    messages.push(encoded.json);
    if (encoded.images) images.push(encoded.images);
    after = message.role;
  }
  flush();
  return messages;
}

const imagesLabel = "Images from the tool results above:";
const bridge = '{"role":"assistant","content":"(results read)"}';

const encodeTools = (tools: readonly ToolSpec[], { compat }: ChatCache): string =>
  jsonItems(tools, ({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters, strict: compat.supportsStrictMode ? false : undefined },
  }));

const encodeSystem = (blocks: readonly string[], cache: ChatCache): string =>
  `{"role":"${systemRole(cache)}","content":${asJson(blocks.join("\n\n"))}}`;
const markedSystem = (blocks: readonly string[], cache: ChatCache) =>
  `{"role":"${systemRole(cache)}","content":[${marked(textPart(blocks.join("\n\n")))}]}`;
const systemRole = ({ compat, model }: ChatCache) =>
  compat.supportsDeveloperRole && model.reasoning ? "developer" : "system";

function encodeUser(parts: readonly (Text | Image)[], how: "plain" | "marked"): string {
  if (parts.length === 0) return "";
  const texts = parts.filter((part) => part.type === "text");
  const list = () => parts.map(encodePart).join(",");
  // A plain string for plain text, since some servers accept nothing else.
  const plain = texts.length === parts.length ? asJson(texts.map((part) => part.text).join("\n")) : `[${list()}]`;
  return `{"role":"user","content":${how === "marked" ? `[${marked(list())}]` : plain}}`;
}

function encodeAssistant(message: AssistantMessage, cache: ChatCache): string {
  const { compat } = cache;
  const sameModel = cache.isOwn(message);
  const thoughts = message.content
    .flatMap((part) => (part.type === "thinking" && part.thinking !== "" && !part.redacted ? [part.thinking] : []))
    .join("\n");
  const said = compat.describesCalls
    ? replyText(message)
    : message.content
        .flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part.text] : []))
        .join("\n");
  const text =
    compat.requiresThinkingAsText && thoughts !== "" && said !== ""
      ? `<thinking>\n${thoughts}\n</thinking>\n${said}`
      : said;
  const calls = message.content.filter((part) => part.type === "toolCall");
  if (text === "" && calls.length === 0) return "";
  const content = text === "" ? emptyContents[compat.emptyContent ?? "null"] : `,"content":${asJson(text)}`;
  const reasoning = compat.requiresReasoningContentOnAssistantMessages
    ? `,"${compat.reasoningContentField ?? "reasoning_content"}":${asJson(sameModel ? thoughts : "")}`
    : "";
  const details = sameModel
    ? calls.flatMap(({ thoughtSignature = "" }) => (isDetail(thoughtSignature) ? [thoughtSignature] : []))
    : [];
  const kept = details.length > 0 ? `,"reasoning_details":[${details.join(",")}]` : "";
  const tail =
    calls.length > 0 ? `,"tool_calls":[${calls.map((call) => encodeCall(call, idRule(cache))).join(",")}]` : "";
  return `{"role":"assistant"${content}${reasoning}${kept}${tail}}`;
}

/** True for a signature that holds a gateway's reasoning detail. */
const isDetail = (signature: string) => parseObject<{ type?: unknown }>(signature)?.type === "reasoning.encrypted";

const emptyContents = { null: ',"content":null', text: ',"content":""', absent: "" };

const encodeCall = (call: ToolCall, rule: CallIdRule) =>
  `{"id":${asJson(callId(call.id, rule))},"type":"function","function":{"name":${asJson(toolName(call.name))},"arguments":${asJson(argumentsJson(call))}}}`;

function encodeResult(message: ToolResultMessage, cache: ChatCache): Encoded {
  // Images of a result would become a user message.
  const { text, images } = cache.result(message, cache.compat.userMessages === "after replies" ? false : undefined);
  const name = cache.compat.requiresToolResultName ? `,"name":${asJson(toolName(message.toolName))}` : "";
  const shown = images.length > 0 && text === "(an image)" ? "(an image, shown below)" : text;
  const id = asJson(callId(message.toolCallId, idRule(cache)));
  const json = `{"role":"tool","tool_call_id":${id}${name},"content":${asJson(shown)}}`;
  return images.length > 0 ? { json, images: images.map(encodePart).join(",") } : { json };
}

const encodePart = (part: Text | Image): string =>
  part.type === "text"
    ? textPart(part.text)
    : `{"type":"image_url","image_url":{"url":${asJson(`data:${part.mimeType};base64,${part.data}`)}}}`;
const textPart = (text: string) => `{"type":"text","text":${asJson(text)}}`;

/** Marks the last object as the end of the cacheable prefix. */
const marked = (objects: string) => `${objects.slice(0, -1)},"cache_control":{"type":"ephemeral"}}`;

const idRule = ({ compat }: ChatCache) => (compat.requiresMistralToolIds ? nine : forty);
const nine: CallIdRule = { valid: /^[a-zA-Z0-9]{9}$/, unfit: /[^a-zA-Z0-9]/g, length: 9 };
/** OpenAI's limit; other servers have none. */
const forty: CallIdRule = { valid: /^[^|]{1,40}$/, unfit: /[^\w-]/g, length: 40 };
