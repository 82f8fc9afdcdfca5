import type { AssistantMessage, Image, Text, Thinking, ToolResultMessage } from "../../message/message.ts";
import type { Request, ToolSpec } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import {
  alternate,
  type BlockCache,
  type EncodedBlocks,
  encodeWithBlocks,
  type RoleMessage,
  replyBlocks,
  roleMessageJson,
} from "../alternate.ts";
import { type CallIdRule, callId } from "../call-id.ts";
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
  systemBlocks,
  thinkingBudget,
  thinks,
  toolName,
  toolsOrMentioned,
} from "../encode.ts";
import { beginsWithThought, thinksByEffort } from "./claude.ts";

/**
 * Writes the request body. Stable parts come first and are marked for the cache: tools, system, the last two user
 * messages.
 */
export const anthropicEncoder = (defaults: Compat) =>
  encodeWithBlocks(defaults, {
    part: encodePart,
    assistant: encodeAssistant,
    result: encodeResult,
    body: encodeBody,
  });

function encodeBody(request: Request, cache: BlockCache): string[] {
  const { compat, model } = cache;
  const mark = markOf(compat);
  const turns = alternate(request.messages, cache, textBlock);
  const limit = request.maxOutput ?? model.maxOutput;
  const thinking = thinkingFields(request, compat, turns, limit);
  let body = openObject({ model: model.id, max_tokens: limit, stream: true, ...thinking, ...compat.extraBody });
  const tools = cache.once(toolsOrMentioned(request), encodeTools);
  if (tools !== "") body += `,"tools":[${compat.supportsCacheControlOnTools === false ? tools : marked(tools, mark)}]`;
  const system = systemBlocks(request).map(textBlock).join(",");
  if (system !== "") body += `,"system":[${marked(system, mark)}]`;
  const name = demandedTool(request, compat, !thinks(request) || !("thinking" in thinking));
  const wanted = forbidsCalls(request, compat) ? { type: "none" } : name && { type: "tool", name };
  const choice = wanted ? `,"tool_choice":${JSON.stringify(wanted)}` : "";
  const messages = turns.map((turn, at) => encodeTurn(turn, at >= turns.length - 3 ? mark : ""));
  return bodyWithList(body, "messages", messages, choice);
}

function thinkingFields(
  request: Request,
  compat: Compat,
  turns: readonly RoleMessage[],
  limit: number,
): Record<string, unknown> {
  if (!request.model.reasoning || request.effort === undefined) return {};
  if (thinksByEffort(request.model, compat)) {
    const effort = effortWord(request);
    if (thinks(request))
      return {
        thinking: { type: "adaptive", display: "summarized" },
        output_config: effort ? { effort } : undefined,
      };
    return request.model.thinkingLevelMap?.off === null ? {} : { thinking: { type: "disabled" } };
  }
  const results = turns.at(-1)?.blocks[0]?.startsWith('{"type":"tool_result"');
  if (!thinks(request) || limit <= 1024 || (results && !beginsWithThought(turns.at(-2)?.blocks[0]))) return {};
  return { thinking: { type: "enabled", budget_tokens: thinkingBudget(request, limit) } };
}

function encodeTurn({ role, blocks }: RoleMessage, mark: string): string[] {
  const last = blocks.at(-1) ?? "";
  const ended = role === "user" && mark !== "" ? [...blocks.slice(0, -1), marked(last, mark)] : blocks;
  return roleMessageJson(role, "content", ended);
}

const markOf = (compat: Compat) => (compat.cacheRetention === "none" ? "" : cachesLong(compat) ? hourMark : shortMark);
const shortMark = ',"cache_control":{"type":"ephemeral"}';
const hourMark = ',"cache_control":{"type":"ephemeral","ttl":"1h"}';

/** Marks the last block as the end of the cacheable prefix. */
const marked = (blocks: string, mark: string) => (mark === "" ? blocks : `${blocks.slice(0, -1)}${mark}}`);

const encodeTools = (tools: readonly ToolSpec[], { compat }: BlockCache): string =>
  jsonItems(tools, ({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
    eager_input_streaming: compat.supportsEagerToolInputStreaming === false ? undefined : true,
  }));

const encodeAssistant = (message: AssistantMessage, cache: BlockCache): string =>
  replyBlocks(message, {
    thought: (part) => (cache.isOwn(message) ? thoughtBlock(part, cache.compat) : ""),
    call: (call) =>
      `{"type":"tool_use","id":${asJson(callId(call.id, idRule))},"name":${asJson(toolName(call.name))},"input":${argumentsJson(call)}}`,
    text: ({ text }) => textBlock(text),
  });

function thoughtBlock({ thinking, thinkingSignature: signature = "", redacted }: Thinking, compat: Compat): string {
  if (redacted) return signature === "" ? "" : `{"type":"redacted_thinking","data":${asJson(signature)}}`;
  if (signature === "" && !compat.allowEmptySignature) return "";
  return `{"type":"thinking","thinking":${asJson(thinking)},"signature":${asJson(signature)}}`;
}

function encodeResult(message: ToolResultMessage, cache: BlockCache): EncodedBlocks {
  const { text, images } = cache.result(message);
  const pictures = images.map(encodePart).join(",");
  const head = `{"type":"tool_result","tool_use_id":${asJson(callId(message.toolCallId, idRule))}`;
  // The result of a failed call may hold text only.
  if (message.isError)
    return { json: `${head},"content":[${textBlock(text)}],"is_error":true}`, late: pictures || undefined };
  return { json: `${head},"content":[${textBlock(text)}${pictures ? `,${pictures}` : ""}]}` };
}

const encodePart = (part: Text | Image): string =>
  part.type === "text"
    ? textBlock(part.text)
    : `{"type":"image","source":{"type":"base64","media_type":${asJson(part.mimeType)},"data":${asJson(part.data)}}}`;
const textBlock = (text: string) => `{"type":"text","text":${asJson(text)}}`;

const idRule: CallIdRule = { valid: /^[a-zA-Z0-9_-]{1,64}$/, unfit: /[^a-zA-Z0-9_-]/g, length: 64 };
