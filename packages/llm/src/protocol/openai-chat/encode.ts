import type { AssistantMessage, Image, Message, Text, ToolCall, ToolResultMessage } from "../../message/message.ts";
import type { Request, ToolSpec } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import { parseObject } from "../decode.ts";
import { replyText } from "../describe.ts";
import {
  argumentsJson,
  asJson,
  bodyWithList,
  demandedTool,
  forbidsCalls,
  openObject,
  resultContent,
  sendableParts,
  toolName,
} from "../encode.ts";
import { type EncodeCache, encodeCaches } from "../encode-cache.ts";
import { type CallIdRule, callId, isSameModel } from "../history.ts";
import { thinkingFields } from "./thinking.ts";

/**
 * Writes the request body. Messages come last and are encoded once, so each body begins with the body of the step
 * before.
 */
export function encoder(defaults: Compat): (request: Request) => string[] {
  const deskOf = encodeCaches<Encoded>(defaults);
  return (request) => {
    const desk = deskOf(request.model);
    const marks = desk.compat.cacheControlFormat === "anthropic" && desk.compat.cacheRetention !== "none";
    // Last in the body, so that the prefix stays the same.
    const tool = demandedTool(
      request,
      desk.compat,
      request.model.vendor === "openai" || !request.model.reasoning || request.effort === "off",
    );
    const named = tool && { type: "function", function: { name: toolName(tool) } };
    const wanted = forbidsCalls(request, desk.compat) ? "none" : named;
    const choice = wanted === undefined ? "" : `,"tool_choice":${JSON.stringify(wanted)}`;
    return bodyWithList(
      head(request, desk, marks),
      "messages",
      conversation(request, desk, marks),
      `${choice}${fitting(request)}`,
    );
  };
}

/** The response format, for local servers only: of other servers it is not known whether they support it. */
const fitting = ({ answer, model }: Request): string =>
  answer && model.local
    ? `,"response_format":${JSON.stringify({ type: "json_schema", json_schema: { name: "answer", schema: answer } })}`
    : "";

interface Encoded {
  /** Empty when there is nothing to send. */
  json: string;
  images?: string;
}
type ChatDesk = EncodeCache<Encoded>;

function head(request: Request, desk: ChatDesk, marks: boolean): string {
  const { compat } = desk;
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
  const tools = desk.once(request.tools, encodeTools).json;
  return `${text},"tools":[${marks ? marked(tools) : tools}]`;
}

function conversation(request: Request, desk: ChatDesk, marks: boolean): string[] {
  const messages: string[] = [];
  if (request.system.length > 0)
    messages.push(marks ? markedSystem(request.system, desk) : desk.once(request.system, encodeSystem).json);
  const history = desk.arranged(request.messages);
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
    if (message.role === "user" && images.length > 0 && desk.compat.userMessages) {
      flush(`,${sendableParts(message.content, desk.seesImages).map(encodePart).join(",")}`);
      continue;
    }
    // Results of one batch must be adjacent: their images follow the last of them.
    if (message.role !== "toolResult") flush();
    const encoded =
      at === last && message.role === "user"
        ? { json: encodeUser(sendableParts(message.content, desk.seesImages), "marked") }
        : desk.once(message, encodeMessage);
    if (encoded.json === "") continue;
    if (desk.compat.requiresAssistantAfterToolResult && message.role === "user" && after === "toolResult")
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

const encodeTools = (tools: readonly ToolSpec[], { compat }: ChatDesk): Encoded => ({
  json: tools
    .map(({ name, description, parameters }) =>
      JSON.stringify({
        type: "function",
        function: { name, description, parameters, strict: compat.supportsStrictMode ? false : undefined },
      }),
    )
    .join(","),
});

const encodeSystem = (blocks: readonly string[], desk: ChatDesk): Encoded => ({
  json: `{"role":"${systemRole(desk)}","content":${asJson(blocks.join("\n\n"))}}`,
});
const markedSystem = (blocks: readonly string[], desk: ChatDesk) =>
  `{"role":"${systemRole(desk)}","content":[${marked(textPart(blocks.join("\n\n")))}]}`;
const systemRole = ({ compat, model }: ChatDesk) =>
  compat.supportsDeveloperRole && model.reasoning ? "developer" : "system";

function encodeMessage(message: Message, desk: ChatDesk): Encoded {
  switch (message.role) {
    case "user":
      return { json: encodeUser(sendableParts(message.content, desk.seesImages), "plain") };
    case "assistant":
      return { json: encodeAssistant(message, desk) };
    case "toolResult":
      return encodeResult(message, desk);
  }
}

function encodeUser(parts: readonly (Text | Image)[], how: "plain" | "marked"): string {
  if (parts.length === 0) return "";
  const texts = parts.filter((part) => part.type === "text");
  const list = () => parts.map(encodePart).join(",");
  // A plain string for plain text, since some servers accept nothing else.
  const plain = texts.length === parts.length ? asJson(texts.map((part) => part.text).join("\n")) : `[${list()}]`;
  return `{"role":"user","content":${how === "marked" ? `[${marked(list())}]` : plain}}`;
}

function encodeAssistant(message: AssistantMessage, desk: ChatDesk): string {
  const { compat } = desk;
  const sameModel = isSameModel(message, desk.model);
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
    calls.length > 0 ? `,"tool_calls":[${calls.map((call) => encodeCall(call, idRule(desk))).join(",")}]` : "";
  return `{"role":"assistant"${content}${reasoning}${kept}${tail}}`;
}

/** True for a signature that holds a gateway's reasoning detail. */
const isDetail = (signature: string) => parseObject<{ type?: unknown }>(signature)?.type === "reasoning.encrypted";

const emptyContents = { null: ',"content":null', text: ',"content":""', absent: "" };

const encodeCall = (call: ToolCall, rule: CallIdRule) =>
  `{"id":${asJson(callId(call.id, rule))},"type":"function","function":{"name":${asJson(toolName(call.name))},"arguments":${asJson(argumentsJson(call))}}}`;

function encodeResult(message: ToolResultMessage, desk: ChatDesk): Encoded {
  // Images of a result would become a user message.
  const { text, images } = resultContent(message, desk.seesImages && desk.compat.userMessages !== "after replies");
  const name = desk.compat.requiresToolResultName ? `,"name":${asJson(toolName(message.toolName))}` : "";
  const shown = images.length > 0 && text === "(an image)" ? "(an image, shown below)" : text;
  const id = asJson(callId(message.toolCallId, idRule(desk)));
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

const idRule = ({ compat }: ChatDesk) => (compat.requiresMistralToolIds ? nine : forty);
const nine: CallIdRule = { valid: /^[a-zA-Z0-9]{9}$/, unfit: /[^a-zA-Z0-9]/g, length: 9 };
/** OpenAI's limit; other servers have none. */
const forty: CallIdRule = { valid: /^[^|]{1,40}$/, unfit: /[^\w-]/g, length: 40 };
