import type { AssistantMessage, Image, Message, Text, ToolCall, ToolResultMessage } from "../message/message.ts";
import type { Request, ToolSpec } from "../message/stream.ts";

/** Where servers of this protocol differ; data, so that a vendor chooses and nothing forks. */
export interface ChatQuirks {
  /** The field that limits the answer. */
  limit: "max_tokens" | "max_completion_tokens";
}

/**
 * Makes the body of a request. Messages come last and each is encoded once, so the body of a step begins with the
 * whole body of the step before, and a step costs what is new plus a join. Messages are never changed in place.
 */
export function encoder(quirks: ChatQuirks): (request: Request) => string {
  // A model that cannot see gets other bytes for the same message.
  const memos = { seeing: new WeakMap<object, Encoded>(), blind: new WeakMap<object, Encoded>() };
  return (request) => {
    const sees = request.model.input.includes("image");
    const memo = memos[sees ? "seeing" : "blind"];
    const encoded = <T extends object>(own: T, encode: (own: T, sees: boolean) => Encoded): Encoded => {
      const known = memo.get(own);
      if (known) return known;
      const fresh = encode(own, sees);
      memo.set(own, fresh);
      return fresh;
    };
    let head = `{"model":${quote(request.model.id)},"stream":true,"stream_options":{"include_usage":true}`;
    if (request.maxOutput !== undefined) head += `,"${quirks.limit}":${request.maxOutput}`;
    if (request.effort && request.effort !== "off" && request.model.reasoning) head += `,"reasoning_effort":"${request.effort}"`;
    if (request.tools.length > 0) head += `,"tools":[${encoded(request.tools, encodeTools).json}]`;

    const messages: string[] = [];
    if (request.system.length > 0) messages.push(encoded(request.system, encodeSystem).json);
    let images: string[] = [];
    const flush = () => {
      if (images.length > 0) messages.push(`{"role":"user","content":[${textPart(imagesLabel)},${images.join(",")}]}`);
      images = [];
    };
    for (const message of request.messages) {
      // Results of one batch must stand together: what they show comes after the last of them.
      if (message.role !== "toolResult") flush();
      const own = encoded(message, encodeMessage);
      if (own.json !== "") messages.push(own.json);
      if (own.images) images.push(own.images);
    }
    flush();
    return `${head},"messages":[${messages.join(",")}]}`;
  };
}

interface Encoded {
  /** Empty when there is nothing to send. */
  json: string;
  images?: string;
}

const imagesLabel = "Images from the tool results above:";

const encodeTools = (tools: readonly ToolSpec[]): Encoded => ({
  json: tools.map(({ name, description, parameters }) => JSON.stringify({ type: "function", function: { name, description, parameters } })).join(","),
});

const encodeSystem = (blocks: readonly string[]): Encoded => ({ json: `{"role":"system","content":${quote(blocks.join("\n\n"))}}` });

function encodeMessage(message: Message, sees: boolean): Encoded {
  switch (message.role) {
    case "user":
      return { json: encodeUser(typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content, sees) };
    case "assistant":
      return { json: encodeAssistant(message) };
    case "toolResult":
      return encodeResult(message, sees);
  }
}

function encodeUser(content: readonly (Text | Image)[], sees: boolean): string {
  const parts = content.map((part) => (part.type === "image" && !sees ? leftOut(part) : part)).filter((part) => part.type === "image" || part.text !== "");
  if (parts.length === 0) return "";
  const texts = parts.filter((part) => part.type === "text");
  // Plain text as a plain string: some servers know nothing else.
  const body = texts.length === parts.length ? quote(texts.map((part) => part.text).join("\n")) : `[${parts.map(encodePart).join(",")}]`;
  return `{"role":"user","content":${body}}`;
}

function encodeAssistant({ content, stopReason }: AssistantMessage): string {
  if (stopReason === "error") return "";
  const text = content.flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : [])).join("\n");
  const calls = content.filter((part) => part.type === "toolCall");
  if (text === "" && calls.length === 0) return "";
  const tail = calls.length > 0 ? `,"tool_calls":[${calls.map(encodeCall).join(",")}]` : "";
  return `{"role":"assistant","content":${text === "" ? "null" : quote(text)}${tail}}`;
}

function encodeCall(call: ToolCall): string {
  // Servers parse the arguments of the history again, so what was not JSON travels inside some.
  const written = call.rawArguments === undefined ? call.arguments : { unparsed: call.rawArguments };
  return `{"id":${quote(call.id)},"type":"function","function":{"name":${quote(call.name)},"arguments":${quote(JSON.stringify(written))}}}`;
}

function encodeResult({ toolCallId, content }: ToolResultMessage, sees: boolean): Encoded {
  const pictures = content.filter((part) => part.type === "image");
  const texts = content.flatMap((part) => (part.type === "text" ? (part.text === "" ? [] : [part.text]) : sees ? [] : [leftOut(part).text]));
  const text = texts.join("\n") || (pictures.length > 0 ? "(an image, shown below)" : "(no output)");
  const json = `{"role":"tool","tool_call_id":${quote(toolCallId)},"content":${quote(text)}}`;
  return sees && pictures.length > 0 ? { json, images: pictures.map(encodePart).join(",") } : { json };
}

const encodePart = (part: Text | Image): string =>
  part.type === "text" ? textPart(part.text) : `{"type":"image_url","image_url":{"url":${quote(`data:${part.mimeType};base64,${part.data}`)}}}`;
const textPart = (text: string) => `{"type":"text","text":${quote(text)}}`;
const leftOut = ({ mimeType }: Image): Text => ({ type: "text", text: `[${mimeType} left out: this model reads text only]` });

/** Half a surrogate pair is legal in our strings and refused by many servers. */
const quote = (text: string) => JSON.stringify(text.toWellFormed());
