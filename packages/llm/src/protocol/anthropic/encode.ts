import type { AssistantMessage, Image, Message, Text, ToolResultMessage } from "../../message/message.ts";
import type { Request, ToolSpec } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import { alternate, type EncodedBlocks, type RoleMessage, roleMessageJson } from "../alternate.ts";
import {
  argumentsJson,
  asJson,
  bodyWithList,
  demandedTool,
  effortWord,
  forbidsCalls,
  openObject,
  resultContent,
  sendableParts,
  thinkingBudget,
  thinks,
  toolName,
  toolsInHistory,
} from "../encode.ts";
import { type EncodeCache, encodeCaches } from "../encode-cache.ts";
import { type CallIdRule, callId, isSameModel } from "../history.ts";
import { beginsWithThought, thinksByEffort } from "./claude.ts";

/**
 * Writes the request body. Stable parts come first and are marked for the cache: tools, system, the last two user
 * messages.
 */
export function encoder(defaults: Compat): (request: Request) => string[] {
  const deskOf = encodeCaches<EncodedBlocks>(defaults);
  return (request) => {
    const desk = deskOf(request.model);
    const { compat } = desk;
    const mark = markOf(compat);
    const sides = alternate(request.messages, desk, encodeMessage, textBlock);
    const limit = request.maxOutput ?? request.model.maxOutput;
    const thinking = thinkingFields(request, compat, sides, limit);
    let body = openObject({
      model: request.model.id,
      max_tokens: limit,
      stream: true,
      ...thinking,
      ...compat.extraBody,
    });
    const tools =
      request.tools.length > 0
        ? desk.once(request.tools, encodeTools).json
        : encodeTools(toolsInHistory(request.messages), desk).json;
    if (tools !== "") {
      body += `,"tools":[${compat.supportsCacheControlOnTools === false ? tools : marked(tools, mark)}]`;
    }
    const system = request.system.filter((block) => block.trim() !== "");
    if (system.length > 0) body += `,"system":[${marked(system.map(textBlock).join(","), mark)}]`;
    const name = demandedTool(request, compat, !thinks(request) || !("thinking" in thinking));
    const wanted = forbidsCalls(request, compat) ? { type: "none" } : name && { type: "tool", name };
    const choice = wanted ? `,"tool_choice":${JSON.stringify(wanted)}` : "";
    const messages = sides.map((side, at) => encodeSide(side, at >= sides.length - 3 ? mark : ""));
    return bodyWithList(body, "messages", messages, choice);
  };
}

type AnthropicDesk = EncodeCache<EncodedBlocks>;

function thinkingFields(
  request: Request,
  compat: Compat,
  sides: readonly RoleMessage[],
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
  const results = sides.at(-1)?.blocks[0]?.startsWith('{"type":"tool_result"');
  if (!thinks(request) || limit <= 1024 || (results && !beginsWithThought(sides.at(-2)?.blocks[0]))) return {};
  return { thinking: { type: "enabled", budget_tokens: thinkingBudget(request, limit) } };
}

function encodeSide({ role, blocks }: RoleMessage, mark: string): string[] {
  const last = blocks.at(-1) ?? "";
  const ended = role === "user" && mark !== "" ? [...blocks.slice(0, -1), marked(last, mark)] : blocks;
  return roleMessageJson(role, "content", ended);
}

const markOf = (compat: Compat) =>
  compat.cacheRetention === "none"
    ? ""
    : compat.cacheRetention === "long" && compat.supportsLongCacheRetention !== false
      ? hourMark
      : shortMark;
const shortMark = ',"cache_control":{"type":"ephemeral"}';
const hourMark = ',"cache_control":{"type":"ephemeral","ttl":"1h"}';

/** Marks the last block as the end of the cacheable prefix. */
const marked = (blocks: string, mark: string) => (mark === "" ? blocks : `${blocks.slice(0, -1)}${mark}}`);

const encodeTools = (tools: readonly ToolSpec[], { compat }: AnthropicDesk): EncodedBlocks => {
  const eager = compat.supportsEagerToolInputStreaming === false ? {} : { eager_input_streaming: true };
  return {
    json: tools
      .map(({ name, description, parameters }) =>
        JSON.stringify({ name, description, input_schema: parameters, ...eager }),
      )
      .join(","),
  };
};

function encodeMessage(message: Message, desk: AnthropicDesk): EncodedBlocks {
  switch (message.role) {
    case "user":
      return { json: sendableParts(message.content, desk.seesImages).map(encodePart).join(",") };
    case "assistant":
      return { json: encodeAssistant(message, desk) };
    case "toolResult":
      return encodeResult(message, desk);
  }
}

function encodeAssistant(message: AssistantMessage, desk: AnthropicDesk): string {
  const sameModel = isSameModel(message, desk.model);
  const blocks: string[] = [];
  let said = false;
  for (const part of message.content) {
    if (part.type === "thinking") {
      const signature = part.thinkingSignature ?? "";
      if (!sameModel) continue;
      if (part.redacted && signature !== "") blocks.push(`{"type":"redacted_thinking","data":${asJson(signature)}}`);
      else if (!part.redacted && (signature !== "" || desk.compat.allowEmptySignature))
        blocks.push(`{"type":"thinking","thinking":${asJson(part.thinking)},"signature":${asJson(signature)}}`);
    } else if (part.type === "toolCall") {
      said = true;
      const input = argumentsJson(part);
      blocks.push(
        `{"type":"tool_use","id":${asJson(callId(part.id, idRule))},"name":${asJson(toolName(part.name))},"input":${input}}`,
      );
    } else if (part.text.trim() !== "") {
      said = true;
      blocks.push(textBlock(part.text));
    }
  }
  // Thoughts alone are not a reply.
  return said ? blocks.join(",") : "";
}

function encodeResult(message: ToolResultMessage, desk: AnthropicDesk): EncodedBlocks {
  const { text, images } = resultContent(message, desk.seesImages);
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
