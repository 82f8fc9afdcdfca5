import type { AssistantMessage, Image, Text, Thinking, ToolResultMessage } from "../../message/message.ts";
import type { Request, ToolSpec } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import {
  alternate,
  type BlockCache,
  type EncodedBlocks,
  encodeWithBlocks,
  replyBlocks,
  roleMessageJson,
} from "../alternate.ts";
import { beginsWithThought, isClaude, thinksByEffort } from "../anthropic/claude.ts";
import { type CallIdRule, callId } from "../call-id.ts";
import {
  argumentsJson,
  asJson,
  bodyWithList,
  cachesLong,
  demandedTool,
  effortWord,
  jsonItems,
  systemBlocks,
  thinkingBudget,
  thinks,
  toolName,
  toolsOrMentioned,
} from "../encode.ts";

/** Writes the body of a Converse request. The model is named in the path. */
export const bedrockEncoder = (defaults: Compat) =>
  encodeWithBlocks(defaults, {
    part: encodePart,
    assistant: encodeAssistant,
    result: encodeResult,
    body: encodeBody,
  });

function encodeBody(request: Request, cache: BlockCache): string[] {
  const { compat, model } = cache;
  const point = pointOf(cache);
  const turns = alternate(request.messages, cache, textBlock);
  const results = turns.at(-1)?.blocks[0]?.startsWith('{"toolResult"') ?? false;
  const extra = extraFields(request, compat, !results || beginsWithThought(turns.at(-2)?.blocks[0]));
  let body = `{"inferenceConfig":{"maxTokens":${limitOf(request)}}${extra}`;
  const tools = cache.once(toolsOrMentioned(request), isClaude(model) ? encodeTools : encodeOpenTools);
  const name = demandedTool(request, compat, isClaude(model) && extra === "");
  const choice = name === undefined ? "" : `,"toolChoice":${JSON.stringify({ tool: { name } })}`;
  // Nova does not cache tools.
  if (tools !== "") body += `,"toolConfig":{"tools":[${tools}${isClaude(model) ? point : ""}]${choice}}`;
  const system = systemBlocks(request).map(textBlock).join(",");
  if (system !== "") body += `,"system":[${system}${point}]`;
  const messages = turns.map(({ role, blocks }, at) =>
    roleMessageJson(role, "content", blocks, role === "user" && at >= turns.length - 3 ? point : ""),
  );
  return bodyWithList(body, "messages", messages);
}

const limitOf = ({ maxOutput, model }: Request) => maxOutput ?? model.maxOutput;

/** A block that ends the cacheable prefix; most models do not support it. */
function pointOf({ compat, model }: BlockCache): string {
  if (compat.cacheRetention === "none" || !(isClaude(model) || /amazon\.nova/.test(model.id))) return "";
  return `,{"cachePoint":{"type":"default"${cachesLong(compat) && isClaude(model) ? ',"ttl":"1h"' : ""}}}`;
}

/** Fields that request thinking, in the terms of the model's maker. */
function extraFields(request: Request, compat: Compat, mayThink: boolean): string {
  if (!request.model.reasoning || request.effort === undefined) return "";
  const field = (fields: object) => `,"additionalModelRequestFields":${JSON.stringify(fields)}`;
  const word = effortWord(request);
  if (!isClaude(request.model))
    return word && /openai\./.test(request.model.id) ? field({ reasoning_effort: word }) : "";
  if (!thinks(request)) return "";
  if (thinksByEffort(request.model, compat))
    return field({ thinking: { type: "adaptive" }, output_config: word ? { effort: word } : undefined });
  if (!mayThink || limitOf(request) <= 1024) return "";
  const betas = compat.interleavedThinking === false ? {} : { anthropic_beta: ["interleaved-thinking-2025-05-14"] };
  return field({ thinking: { type: "enabled", budget_tokens: thinkingBudget(request, limitOf(request)) }, ...betas });
}

const encodeTools = (tools: readonly ToolSpec[]): string =>
  jsonItems(tools, ({ name, description, parameters }) => ({
    toolSpec: { name, description: description || undefined, inputSchema: { json: parameters } },
  }));

/** Models other than Claude accept only type, properties and required in a schema. */
const encodeOpenTools = (tools: readonly ToolSpec[]): string =>
  encodeTools(
    tools.map(({ parameters: { additionalProperties: _, ...parameters }, ...spec }) => ({ ...spec, parameters })),
  );

const encodeAssistant = (message: AssistantMessage, cache: BlockCache): string =>
  replyBlocks(message, {
    thought: (part) => (cache.isOwn(message) ? thoughtBlock(part) : ""),
    call: (call) =>
      `{"toolUse":{"toolUseId":${asJson(callId(call.id, idRule))},"name":${asJson(toolName(call.name))},"input":${argumentsJson(call)}}}`,
    text: ({ text }) => textBlock(text),
  });

function thoughtBlock({ thinking, thinkingSignature: signature = "", redacted }: Thinking): string {
  if (signature === "") return "";
  if (redacted) return `{"reasoningContent":{"redactedContent":${asJson(signature)}}}`;
  return `{"reasoningContent":{"reasoningText":{"text":${asJson(thinking)},"signature":${asJson(signature)}}}}`;
}

function encodeResult(message: ToolResultMessage, cache: BlockCache): EncodedBlocks {
  const { text, images } = cache.result(message);
  const content = [textBlock(text), ...images.map(encodePart)].join(",");
  const status = message.isError ? "error" : "success";
  const id = asJson(callId(message.toolCallId, idRule));
  return { json: `{"toolResult":{"toolUseId":${id},"content":[${content}],"status":"${status}"}}` };
}

const encodePart = (part: Text | Image): string =>
  part.type === "text"
    ? textBlock(part.text)
    : `{"image":{"format":${asJson(part.mimeType.replace("image/", ""))},"source":{"bytes":${asJson(part.data)}}}}`;
const textBlock = (text: string) => `{"text":${asJson(text)}}`;

const idRule: CallIdRule = { valid: /^[a-zA-Z0-9_-]{1,64}$/, unfit: /[^a-zA-Z0-9_-]/g, length: 64 };
