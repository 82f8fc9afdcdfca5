import type { AssistantMessage, Image, Text, ToolCall, ToolResultMessage } from "../../message/message.ts";
import type { Request, ToolSpec } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import type { Model } from "../../model/model.ts";
import {
  alternate,
  type BlockCache,
  type EncodedBlocks,
  encodeWithBlocks,
  replyBlocks,
  roleMessageJson,
} from "../alternate.ts";
import {
  argumentsJson,
  asJson,
  bodyWithList,
  demandedTool,
  effortWord,
  forbidsCalls,
  jsonItems,
  systemBlocks,
  thinkingBudget,
  thinks,
  toolName,
} from "../encode.ts";

/** Writes a request body for Gemini. The model is named in the path. */
export const googleEncoder = (defaults: Compat) =>
  encodeWithBlocks(defaults, {
    part: encodePart,
    assistant: encodeAssistant,
    result: encodeResult,
    body: encodeBody,
  });

function encodeBody(request: Request, cache: BlockCache): string[] {
  let body = `{"generationConfig":${JSON.stringify(configOf(request))}`;
  const system = systemBlocks(request).map(textPart).join(",");
  if (system !== "") body += `,"systemInstruction":{"parts":[${system}]}`;
  if (request.tools.length > 0)
    body += `,"tools":[{"functionDeclarations":[${cache.once(request.tools, encodeTools)}]}]`;
  const contents = alternate(request.messages, cache, textPart).map(({ role, blocks }) =>
    roleMessageJson(role === "user" ? role : "model", "parts", blocks),
  );
  const name = demandedTool(request, cache.compat, true);
  const named = name && { mode: "ANY", allowedFunctionNames: [name] };
  const wanted = forbidsCalls(request, cache.compat) ? { mode: "NONE" } : named;
  const choice = wanted ? `,"toolConfig":${JSON.stringify({ functionCallingConfig: wanted })}` : "";
  return bodyWithList(body, "contents", contents, choice);
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

const encodeTools = (tools: readonly ToolSpec[]): string =>
  jsonItems(tools, ({ name, description, parameters }) => ({ name, description, parametersJsonSchema: parameters }));

function encodeAssistant(message: AssistantMessage, cache: BlockCache): string {
  const isOwn = cache.isOwn(message);
  // The first call of a reply must be signed; one of another model gets the value that skips the check.
  let unsigned = isNew(cache.model) ? "skip_thought_signature_validator" : "";
  return replyBlocks(message, {
    thought: ({ thinking, thinkingSignature: signature = "" }) =>
      isOwn && signature !== "" && thinking.trim() !== ""
        ? `{"text":${asJson(thinking)},"thought":true${signatureField(signature)}}`
        : "",
    call(call) {
      const signature = isOwn && call.thoughtSignature ? call.thoughtSignature : unsigned;
      unsigned = "";
      return callPart(call, signature);
    },
    text: ({ text, textSignature = "" }) => `{"text":${asJson(text)}${signatureField(isOwn ? textSignature : "")}}`,
  });
}

const callPart = (call: ToolCall, signature: string) =>
  `{"functionCall":{${idField(call.id)}"name":${asJson(toolName(call.name))},"args":${argumentsJson(call)}}${signatureField(signature)}}`;

function encodeResult(message: ToolResultMessage, cache: BlockCache): EncodedBlocks {
  const { text, images } = cache.result(message);
  const pictures = images.map(encodePart).join(",");
  const inside = pictures !== "" && isNew(cache.model) ? `,"parts":[${pictures}]` : "";
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
