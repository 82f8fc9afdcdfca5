import type { AssistantMessage, Message, ToolCall, ToolResultMessage } from "../../message/message.ts";
import type { Request, ToolSpec } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import { replyText } from "../describe.ts";
import {
  argumentsJson,
  asJson,
  bodyWithList,
  effortWord,
  openObject,
  resultContent,
  sendableParts,
  thinks,
  toolName,
} from "../encode.ts";
import { type EncodeCache, encodeCaches } from "../encode-cache.ts";

/** Writes a request body for Ollama's chat. Earlier thinking is never sent. */
export function encoder(defaults: Compat): (request: Request) => string[] {
  const deskOf = encodeCaches<string>(defaults);
  return (request) => {
    const desk = deskOf(request.model);
    const messages = request.system.length > 0 ? [desk.once(request.system, encodeSystem)] : [];
    for (const message of desk.arranged(request.messages)) messages.push(desk.once(message, encodeMessage));
    return bodyWithList(
      head(request, desk),
      "messages",
      messages.filter((message) => message !== ""),
    );
  };
}

type OllamaDesk = EncodeCache<string>;

function head(request: Request, desk: OllamaDesk): string {
  const { compat, model } = desk;
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
  return request.tools.length > 0 ? `${text},"tools":[${desk.once(request.tools, encodeTools)}]` : text;
}

/** Thinking is on or off, or a level for models whose map has levels. */
const thinkOf = (request: Request): boolean | string =>
  thinks(request) && request.model.thinkingLevelMap ? (effortWord(request) ?? true) : thinks(request);

const encodeTools = (tools: readonly ToolSpec[]): string =>
  tools
    .map(({ name, description, parameters }) =>
      JSON.stringify({ type: "function", function: { name, description, parameters } }),
    )
    .join(",");

const encodeSystem = (blocks: readonly string[]): string =>
  `{"role":"system","content":${asJson(blocks.join("\n\n"))}}`;

function encodeMessage(message: Message, desk: OllamaDesk): string {
  switch (message.role) {
    case "user": {
      const parts = sendableParts(message.content, desk.seesImages);
      const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
      const images = parts.flatMap((part) => (part.type === "image" ? [part.data] : []));
      return parts.length === 0 ? "" : `{"role":"user","content":${asJson(texts.join("\n"))}${imagesField(images)}}`;
    }
    case "assistant":
      return encodeAssistant(message);
    case "toolResult":
      return encodeResult(message, desk);
  }
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

function encodeResult(message: ToolResultMessage, desk: OllamaDesk): string {
  const { text, images } = resultContent(message, desk.seesImages);
  const shown = imagesField(images.map(({ data }) => data));
  return `{"role":"tool","tool_name":${asJson(toolName(message.toolName))},"content":${asJson(text)}${shown}}`;
}

const imagesField = (images: readonly string[]) => (images.length > 0 ? `,"images":${JSON.stringify(images)}` : "");
