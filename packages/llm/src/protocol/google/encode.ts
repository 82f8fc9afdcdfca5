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
import type { Model } from "../../model/model.ts";
import { alternate, type EncodedBlocks, roleMessageJson } from "../alternate.ts";
import {
  argumentsJson,
  asJson,
  bodyWithList,
  demandedTool,
  effortWord,
  forbidsCalls,
  resultContent,
  sendableParts,
  thinkingBudget,
  thinks,
  toolName,
} from "../encode.ts";
import { type EncodeCache, encodeCaches } from "../encode-cache.ts";
import { isSameModel } from "../history.ts";

/** Writes a request body for Gemini. The model is named in the path. */
export function encoder(defaults: Compat): (request: Request) => string[] {
  const deskOf = encodeCaches<EncodedBlocks>(defaults);
  return (request) => {
    const desk = deskOf(request.model);
    let body = `{"generationConfig":${JSON.stringify(configOf(request))}`;
    const system = request.system.filter((block) => block.trim() !== "");
    if (system.length > 0) body += `,"systemInstruction":{"parts":[${system.map(textPart).join(",")}]}`;
    if (request.tools.length > 0)
      body += `,"tools":[{"functionDeclarations":[${desk.once(request.tools, encodeTools).json}]}]`;
    const sides = alternate(request.messages, desk, encodeMessage, textPart);
    const contents = sides.map(({ role, blocks }) =>
      roleMessageJson(role === "user" ? role : "model", "parts", blocks),
    );
    const name = demandedTool(request, desk.compat, true);
    const named = name && { mode: "ANY", allowedFunctionNames: [name] };
    const wanted = forbidsCalls(request, desk.compat) ? { mode: "NONE" } : named;
    const choice = wanted ? `,"toolConfig":${JSON.stringify({ functionCallingConfig: wanted })}` : "";
    return bodyWithList(body, "contents", contents, choice);
  };
}

/** Marks a call id that the server made, because the server wants its own id back. */
export const serverId = (id: string): string => `${id}${serverMark}`;
const serverMark = "|gemini";

/** True for models that take a thinking level and require signatures; older ones take a token budget. */
const isNew = ({ id }: Model) => /gemini-(?:[3-9]|\d\d)/.test(id);

function configOf(request: Request): Record<string, unknown> {
  const { model, maxOutput, effort } = request;
  const limit = maxOutput ?? model.maxOutput;
  const thinking =
    !model.reasoning || effort === undefined
      ? undefined
      : thinks(request)
        ? { includeThoughts: true, ...depth(request, limit) }
        : shallow(request);
  return { maxOutputTokens: maxOutput, thinkingConfig: thinking };
}

const depth = (request: Request, limit: number) =>
  isNew(request.model) || typeof request.model.thinkingLevelMap?.high === "string"
    ? { thinkingLevel: effortWord(request) }
    : { thinkingBudget: thinkingBudget(request, limit) };
/** The least thinking there is: new models cannot switch it off. */
const shallow = ({ model }: Request) =>
  isNew(model) ? { thinkingLevel: model.thinkingLevelMap?.minimal ?? "low" } : { thinkingBudget: 0 };

const encodeTools = (tools: readonly ToolSpec[]): EncodedBlocks => ({
  json: tools
    .map(({ name, description, parameters }) => JSON.stringify({ name, description, parametersJsonSchema: parameters }))
    .join(","),
});

function encodeMessage(message: Message, desk: EncodeCache<EncodedBlocks>): EncodedBlocks {
  switch (message.role) {
    case "user":
      return { json: sendableParts(message.content, desk.seesImages).map(encodePart).join(",") };
    case "assistant":
      return { json: encodeAssistant(message, desk.model) };
    case "toolResult":
      return encodeResult(message, desk);
  }
}

function encodeAssistant(message: AssistantMessage, model: Model): string {
  const sameModel = isSameModel(message, model);
  const encoded = message.content.map((part) =>
    part.type === "thinking" ? thoughtPart(part, sameModel) : part.type === "text" ? saidPart(part, sameModel) : "",
  );
  let unsigned = isNew(model) ? "skip_thought_signature_validator" : "";
  for (const [at, part] of message.content.entries()) {
    if (part.type !== "toolCall") continue;
    // The first call of a reply must be signed; one of another model gets the value that skips the check.
    encoded[at] = callPart(part, sameModel && part.thoughtSignature ? part.thoughtSignature : unsigned);
    unsigned = "";
  }
  const said = message.content.some((part, at) => part.type !== "thinking" && encoded[at] !== "");
  return said ? encoded.filter((part) => part !== "").join(",") : "";
}

const thoughtPart = ({ thinking, thinkingSignature = "" }: Thinking, sameModel: boolean) =>
  sameModel && thinkingSignature !== "" && thinking.trim() !== ""
    ? `{"text":${asJson(thinking)},"thought":true${signatureField(thinkingSignature)}}`
    : "";
const saidPart = ({ text, textSignature = "" }: Text, sameModel: boolean) =>
  text.trim() === "" ? "" : `{"text":${asJson(text)}${signatureField(sameModel ? textSignature : "")}}`;
const callPart = (call: ToolCall, signature: string) =>
  `{"functionCall":{${idField(call.id)}"name":${asJson(toolName(call.name))},"args":${argumentsJson(call)}}${signatureField(signature)}}`;

function encodeResult(message: ToolResultMessage, desk: EncodeCache<EncodedBlocks>): EncodedBlocks {
  const { text, images } = resultContent(message, desk.seesImages);
  const pictures = images.map(encodePart).join(",");
  const inside = pictures !== "" && isNew(desk.model) ? `,"parts":[${pictures}]` : "";
  const response = `{${asJson(message.isError ? "error" : "output")}:${asJson(text)}}`;
  const call = `${idField(message.toolCallId)}"name":${asJson(toolName(message.toolName))}`;
  const json = `{"functionResponse":{${call},"response":${response}${inside}}}`;
  return pictures === "" || inside !== ""
    ? { json }
    : { json, late: `${textPart("Images from the results above:")},${pictures}` };
}

const signatureField = (signature: string) => (signature === "" ? "" : `,"thoughtSignature":${asJson(signature)}`);
const idField = (id: string) => (id.endsWith(serverMark) ? `"id":${asJson(id.slice(0, -serverMark.length))},` : "");

const encodePart = (part: Text | Image): string =>
  part.type === "text"
    ? textPart(part.text)
    : `{"inlineData":{"mimeType":${asJson(part.mimeType)},"data":${asJson(part.data)}}}`;
const textPart = (text: string) => `{"text":${asJson(text)}}`;
