import type {
  AssistantMessage,
  Image,
  Message,
  Text,
  Thinking,
  ToolCall,
  ToolResultMessage,
} from "../../message/message.ts";
import type { Request, ToolSpec } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import { alternate, type EncodedBlocks, roleMessageJson } from "../alternate.ts";
import { beginsWithThought, isClaude, thinksByEffort } from "../anthropic/claude.ts";
import {
  argumentsJson,
  asJson,
  bodyWithList,
  demandedTool,
  effortWord,
  resultContent,
  sendableParts,
  thinkingBudget,
  thinks,
  toolName,
  toolsInHistory,
} from "../encode.ts";
import { type EncodeCache, encodeCaches } from "../encode-cache.ts";
import { type CallIdRule, callId, isSameModel } from "../history.ts";

/** Writes the body of a Converse request. The model is named in the path. */
export function encoder(defaults: Compat): (request: Request) => string[] {
  const deskOf = encodeCaches<EncodedBlocks>(defaults);
  return (request) => {
    const desk = deskOf(request.model);
    const point = pointOf(desk);
    const sides = alternate(request.messages, desk, encodeMessage, textBlock);
    const results = sides.at(-1)?.blocks[0]?.startsWith('{"toolResult"') ?? false;
    const extra = extraFields(request, desk.compat, !results || beginsWithThought(sides.at(-2)?.blocks[0]));
    let body = `{"inferenceConfig":{"maxTokens":${limitOf(request)}}${extra}`;
    const toolsFor = isClaude(request.model) ? encodeTools : encodeOpenTools;
    const tools =
      request.tools.length > 0
        ? desk.once(request.tools, toolsFor).json
        : toolsFor(toolsInHistory(request.messages)).json;
    // Nova does not cache tools.
    const name = demandedTool(request, desk.compat, isClaude(request.model) && extra === "");
    const choice = name === undefined ? "" : `,"toolChoice":${JSON.stringify({ tool: { name } })}`;
    if (tools !== "") body += `,"toolConfig":{"tools":[${tools}${isClaude(request.model) ? point : ""}]${choice}}`;
    const system = request.system.filter((block) => block.trim() !== "");
    if (system.length > 0) body += `,"system":[${system.map(textBlock).join(",")}${point}]`;
    const messages = sides.map(({ role, blocks }, at) =>
      roleMessageJson(role, "content", blocks, role === "user" && at >= sides.length - 3 ? point : ""),
    );
    return bodyWithList(body, "messages", messages);
  };
}

const limitOf = ({ maxOutput, model }: Request) => maxOutput ?? model.maxOutput;

/** A block that ends the cacheable prefix; most models do not support it. */
function pointOf({ compat, model }: EncodeCache<EncodedBlocks>): string {
  if (compat.cacheRetention === "none" || !(isClaude(model) || /amazon\.nova/.test(model.id))) return "";
  const long = compat.cacheRetention === "long" && compat.supportsLongCacheRetention !== false && isClaude(model);
  return `,{"cachePoint":{"type":"default"${long ? ',"ttl":"1h"' : ""}}}`;
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

const encodeTools = (tools: readonly ToolSpec[]): EncodedBlocks => ({
  json: tools
    .map(({ name, description, parameters }) =>
      JSON.stringify({
        toolSpec: { name, description: description || undefined, inputSchema: { json: parameters } },
      }),
    )
    .join(","),
});

/** Models other than Claude accept only type, properties and required in a schema. */
const encodeOpenTools = (tools: readonly ToolSpec[]): EncodedBlocks =>
  encodeTools(
    tools.map(({ parameters: { additionalProperties: _, ...parameters }, ...spec }) => ({ ...spec, parameters })),
  );

function encodeMessage(message: Message, desk: EncodeCache<EncodedBlocks>): EncodedBlocks {
  switch (message.role) {
    case "user":
      return { json: sendableParts(message.content, desk.seesImages).map(encodePart).join(",") };
    case "assistant":
      return { json: encodeAssistant(message, desk) };
    case "toolResult":
      return encodeResult(message, desk);
  }
}

function encodeAssistant(message: AssistantMessage, desk: EncodeCache<EncodedBlocks>): string {
  const sameModel = isSameModel(message, desk.model);
  const blocks = message.content.map((part) =>
    part.type === "thinking"
      ? thoughtBlock(part, sameModel)
      : part.type === "toolCall"
        ? callBlock(part)
        : saidBlock(part),
  );
  const said = message.content.some((part, at) => part.type !== "thinking" && blocks[at] !== "");
  return said ? blocks.filter((block) => block !== "").join(",") : "";
}

function thoughtBlock({ thinking, thinkingSignature = "", redacted }: Thinking, sameModel: boolean): string {
  if (!sameModel || thinkingSignature === "") return "";
  if (redacted) return `{"reasoningContent":{"redactedContent":${asJson(thinkingSignature)}}}`;
  return `{"reasoningContent":{"reasoningText":{"text":${asJson(thinking)},"signature":${asJson(thinkingSignature)}}}}`;
}
const saidBlock = ({ text }: Text) => (text.trim() === "" ? "" : textBlock(text));
const callBlock = (call: ToolCall) =>
  `{"toolUse":{"toolUseId":${asJson(callId(call.id, idRule))},"name":${asJson(toolName(call.name))},"input":${argumentsJson(call)}}}`;

function encodeResult(message: ToolResultMessage, desk: EncodeCache<EncodedBlocks>): EncodedBlocks {
  const { text, images } = resultContent(message, desk.seesImages);
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
