import type { AssistantMessage, ToolCall, ToolResultMessage, UserMessage } from "../../message/message.ts";
import type { Request, ToolSpec } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import { replyText } from "../describe.ts";
import { argumentsJson, asJson, bodyWithList, effortWord, jsonItems, openObject, thinks, toolName } from "../encode.ts";
import { type EncodeCache, encodeWith } from "../encode-cache.ts";

type OllamaCache = EncodeCache<string>;

/** Writes a request body for Ollama's chat. Earlier thinking is never sent. */
export const ollamaEncoder = (defaults: Compat) =>
  encodeWith<string>(
    defaults,
    { user: encodeUser, assistant: encodeAssistant, toolResult: encodeResult },
    (request, cache) => {
      const messages = request.system.length > 0 ? [cache.once(request.system, encodeSystem)] : [];
      for (const message of cache.arranged(request.messages)) messages.push(cache.message(message));
      return bodyWithList(
        head(request, cache),
        "messages",
        messages.filter((message) => message !== ""),
      );
    },
  );

function head(request: Request, cache: OllamaCache): string {
  const { compat, model } = cache;
  // By default the server keeps the last few thousand tokens and silently drops the rest.
  const options = {
    num_ctx: compat.numCtx ?? model.contextWindow,
    num_predict: request.maxOutput,
    ...compat.extraBody,
  };
  const text = openObject({
    model: model.id,
    stream: true,
    options,
    keep_alive: compat.keepAlive,
    format: request.answer,
    think: model.reasoning && request.effort !== undefined ? thinkOf(request) : undefined,
  });
  return request.tools.length > 0 ? `${text},"tools":[${cache.once(request.tools, encodeTools)}]` : text;
}

/** Thinking is on or off, or a level for models whose map has levels. */
const thinkOf = (request: Request): boolean | string =>
  thinks(request) && request.model.thinkingLevelMap ? (effortWord(request) ?? true) : thinks(request);

const encodeTools = (tools: readonly ToolSpec[]): string =>
  jsonItems(tools, ({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));

const encodeSystem = (blocks: readonly string[]): string =>
  `{"role":"system","content":${asJson(blocks.join("\n\n"))}}`;

function encodeUser({ content }: UserMessage, cache: OllamaCache): string {
  const parts = cache.parts(content);
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const images = parts.flatMap((part) => (part.type === "image" ? [part.data] : []));
  return parts.length === 0 ? "" : `{"role":"user","content":${asJson(texts.join("\n"))}${imagesField(images)}}`;
}

function encodeAssistant(message: AssistantMessage): string {
  const text = replyText(message);
  if (text === "") return "";
  const calls = message.content.filter((part) => part.type === "toolCall");
  const called = calls.length > 0 ? `,"tool_calls":[${calls.map(encodeCall).join(",")}]` : "";
  return `{"role":"assistant","content":${asJson(text)}${called}}`;
}

const encodeCall = (call: ToolCall) =>
  `{"function":{"name":${asJson(toolName(call.name))},"arguments":${argumentsJson(call)}}}`;

function encodeResult(message: ToolResultMessage, cache: OllamaCache): string {
  const { text, images } = cache.result(message);
  const shown = imagesField(images.map(({ data }) => data));
  return `{"role":"tool","tool_name":${asJson(toolName(message.toolName))},"content":${asJson(text)}${shown}}`;
}

const imagesField = (images: readonly string[]) => (images.length > 0 ? `,"images":${JSON.stringify(images)}` : "");
