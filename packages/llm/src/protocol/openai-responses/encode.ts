import type {
  AssistantMessage,
  Image,
  Sealed,
  Text,
  Thinking,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "../../message/message.ts";
import { sealedFor } from "../../message/sealed.ts";
import type { Request, ToolSpec } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import { type CallIdRule, callId } from "../call-id.ts";
import { nonEmpty, parseObject } from "../decode.ts";
import {
  argumentsJson,
  asJson,
  bodyWithList,
  cachesLong,
  demandedTool,
  effortWord,
  forbidsCalls,
  jsonItems,
  openObject,
  thinks,
  toolName,
} from "../encode.ts";
import { type EncodeCache, encodeWith } from "../encode-cache.ts";

type ResponsesCache = EncodeCache<string>;

/** Writes the request body. Nothing is stored at the server; reasoning is sent back encrypted. */
export const responsesEncoder = (defaults: Compat) =>
  encodeWith<string>(
    defaults,
    { user: encodeUser, assistant: encodeAssistant, toolResult: encodeResult },
    (request, cache) => {
      const items = cache.arranged(request.messages).map((message) => cache.message(message));
      const input = items.filter((item) => item !== "");
      if (request.seal) return bodyWithList(sealHead(request), "input", input);
      const name = demandedTool(request, cache.compat, true);
      const wanted = forbidsCalls(request, cache.compat) ? "none" : name && { type: "function", name };
      const choice = wanted === undefined ? "" : `,"tool_choice":${JSON.stringify(wanted)}`;
      return bodyWithList(head(request, cache), "input", input, choice);
    },
  );

/** Body of a request for the vendor's own summary, whose endpoint knows only these fields. */
const sealHead = ({ model, system }: Request): string =>
  openObject({ model: model.id }) + (system.length > 0 ? `,"instructions":${asJson(system.join("\n\n"))}` : "");

function head(request: Request, cache: ResponsesCache): string {
  const { compat, model } = cache;
  const effort = effortWord(request);
  const limited = request.maxOutput !== undefined && compat.supportsMaxOutputTokens !== false;
  let text = openObject({
    model: model.id,
    stream: true,
    store: false,
    include: model.reasoning ? ["reasoning.encrypted_content"] : undefined,
    reasoning: effort === undefined ? undefined : { effort, summary: thinks(request) ? "auto" : undefined },
    max_output_tokens: limited ? Math.max(16, request.maxOutput ?? 0) : undefined,
    prompt_cache_key: compat.cacheRetention === "none" ? undefined : request.session?.slice(0, maxId),
    prompt_cache_retention: cachesLong(compat) ? "24h" : undefined,
    ...compat.extraBody,
  });
  if (request.system.length > 0) text += `,"instructions":${asJson(request.system.join("\n\n"))}`;
  if (request.tools.length > 0) text += `,"tools":[${cache.once(request.tools, encodeTools)}]`;
  return text;
}

const encodeTools = (tools: readonly ToolSpec[], { compat }: ResponsesCache): string =>
  jsonItems(tools, (tool) =>
    tool.freeform && compat.supportsOpenAIGrammarTools ? customTool(tool, tool.freeform) : functionTool(tool),
  );

const functionTool = ({ name, description, parameters }: ToolSpec) => ({
  type: "function",
  name,
  description,
  parameters,
  strict: false,
});
const customTool = ({ name, description }: ToolSpec, { grammar }: NonNullable<ToolSpec["freeform"]>) => ({
  type: "custom",
  name,
  description,
  format: grammar && { type: "grammar", ...grammar },
});

function encodeUser(message: UserMessage, cache: ResponsesCache): string {
  const sealed = sealedFor(message, cache.model);
  if (sealed) return sealedInput(sealed);
  const parts = cache.parts(message.content);
  return parts.length === 0 ? "" : `{"role":"user","content":[${parts.map(inputPart).join(",")}]}`;
}

const sealedInput = ({ items, text }: Sealed): string => {
  const behind = text === "" ? [] : [`{"role":"user","content":[${inputPart({ type: "text", text })}]}`];
  return [...items.map((item) => JSON.stringify(item)), ...behind].join(",");
};

/**
 * Items of a reply. Item ids are sent only after the reasoning they belong to: the server requires the reasoning for a
 * known id.
 */
function encodeAssistant(message: AssistantMessage, cache: ResponsesCache): string {
  const identified = cache.isOwn(message) && message.stopReason !== "aborted";
  const items: string[] = [];
  let thought = false;
  let said = 0;
  for (const part of message.content) {
    if (part.type === "thinking") {
      const item = identified ? reasoningItem(part) : undefined;
      if (item === undefined) continue;
      thought = true;
      items.push(item);
    } else if (part.type === "toolCall") said = items.push(callItem(part, thought));
    else if (part.text.trim() !== "") said = items.push(messageItem(part, thought));
  }
  // Reasoning must be followed by an item it led to.
  return items.slice(0, said).join(",");
}

function reasoningItem({ thinkingSignature }: Thinking): string | undefined {
  const item = parseObject<Record<string, unknown>>(thinkingSignature ?? "");
  if (item?.type !== "reasoning" || !nonEmpty(item.id) || !nonEmpty(item.encrypted_content)) return undefined;
  const { id, summary, encrypted_content } = item;
  return JSON.stringify({ type: "reasoning", id, summary: Array.isArray(summary) ? summary : [], encrypted_content });
}

function messageItem({ text, textSignature }: Text, identified: boolean): string {
  const signed = identified ? parseObject<Record<string, unknown>>(textSignature ?? "") : undefined;
  const id = nonEmpty(signed?.id);
  // Without its id, not every server accepts an answer in parts; all accept a plain text.
  if (!id || id.length > maxId) return `{"role":"assistant","content":${asJson(text)}}`;
  const content = `[{"type":"output_text","text":${asJson(text)},"annotations":[]}]`;
  const phase = nonEmpty(signed?.phase);
  const phaseField = phase ? `,"phase":${asJson(phase)}` : "";
  const head = `"type":"message","id":${asJson(id)},"role":"assistant","status":"completed"`;
  return `{${head}${phaseField},"content":${content}}`;
}

function callItem(call: ToolCall, identified: boolean): string {
  const item = itemOf(call.id);
  const id = identified && item.length <= maxId && /^f?c(?:tc)?_/.test(item) ? `,"id":${asJson(item)}` : "";
  const head = `"call_id":${asJson(callId(call.id, idRule))}${id},"name":${asJson(toolName(call.name))}`;
  if (isFreeform(call.id))
    return `{"type":"custom_tool_call",${head},"input":${asJson(String(Object.values(call.arguments)[0] ?? ""))}}`;
  return `{"type":"function_call",${head},"arguments":${asJson(argumentsJson(call))}}`;
}

function encodeResult(message: ToolResultMessage, cache: ResponsesCache): string {
  const { text, images } = cache.result(message);
  const output =
    images.length === 0 ? asJson(text) : `[${[{ type: "text" as const, text }, ...images].map(inputPart).join(",")}]`;
  const type = isFreeform(message.toolCallId) ? "custom_tool_call_output" : "function_call_output";
  return `{"type":"${type}","call_id":${asJson(callId(message.toolCallId, idRule))},"output":${output}}`;
}

const inputPart = (part: Text | Image): string =>
  part.type === "text"
    ? `{"type":"input_text","text":${asJson(part.text)}}`
    : `{"type":"input_image","detail":"auto","image_url":${asJson(`data:${part.mimeType};base64,${part.data}`)}}`;

/** A call id has the item id behind a bar; that of a freeform call begins with `ctc_`. */
const itemOf = (id: string) => id.slice(id.indexOf("|") + 1);
const isFreeform = (id: string) => id.includes("|ctc_");

const maxId = 64;
const idRule: CallIdRule = { valid: /^[^|]{1,64}$/, unfit: /[^\w-]/g, length: maxId };
