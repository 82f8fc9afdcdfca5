import { bytesOf, type Rule, repeated, signatureFor } from "../rule.ts";
import { bool, list, num, obj, oneOf, record, str, word } from "../shape.ts";
import { signatureFits } from "./bedrock-signature.ts";

export interface BedrockBody {
  messages: { role: "user" | "assistant"; content: BedrockBlock[] }[];
  toolConfig?: { tools: { toolSpec?: { name: string }; cachePoint?: unknown }[] };
  inferenceConfig?: { maxTokens?: number };
}
interface BedrockBlock {
  text?: string;
  image?: { format: string; source: { bytes: string } };
  toolUse?: { toolUseId: string; name: string; input: unknown };
  toolResult?: { toolUseId: string; content: BedrockBlock[]; status?: string };
  reasoningContent?: { reasoningText?: { text: string; signature?: string }; redactedContent?: string };
  cachePoint?: unknown;
}

const reference = "Bedrock API reference: ConverseStream";
const calling = "Bedrock user guide: call a tool with Converse";
const blocks = "Bedrock API reference: ContentBlock";

const image = obj({ format: word("png", "jpeg", "gif", "webp"), source: obj({ bytes: str }) });
const cachePoint = obj({ type: word("default") }, { ttl: word("5m", "1h") });
const content = oneOf({
  text: str,
  image,
  cachePoint,
  toolUse: obj({ toolUseId: str, name: str, input: record }, { type: str }),
  toolResult: obj(
    { toolUseId: str, content: list(oneOf({ text: str, image, json: record })) },
    { status: word("success", "error") },
  ),
  reasoningContent: oneOf({ reasoningText: obj({ text: str }, { signature: str }), redactedContent: str }),
});
const shape = obj(
  { messages: list(obj({ role: word("user", "assistant"), content: list(content) }), 1) },
  {
    system: list(oneOf({ text: str, cachePoint })),
    inferenceConfig: obj({}, { maxTokens: num, temperature: num, topP: num, stopSequences: list(str) }),
    toolConfig: obj(
      {
        tools: list(
          oneOf({
            cachePoint,
            toolSpec: obj({ name: str, inputSchema: obj({ json: record }) }, { description: str, strict: bool }),
          }),
          1,
        ),
      },
      { toolChoice: obj({}, { auto: record, any: record, tool: obj({ name: str }) }) },
    ),
    additionalModelRequestFields: record,
    additionalModelResponseFieldPaths: list(str),
  },
);

const all = (body: BedrockBody) => body.messages.flatMap((message) => message.content);
const uses = (message: BedrockBody["messages"][number] | undefined) =>
  (message?.content ?? []).flatMap(({ toolUse }) => toolUse ?? []);
const results = (message: BedrockBody["messages"][number] | undefined) =>
  (message?.content ?? []).flatMap(({ toolResult }) => toolResult ?? []);
const images = (body: BedrockBody) =>
  all(body)
    .flatMap((block) => [block, ...(block.toolResult?.content ?? [])])
    .flatMap((block) => block.image ?? []);
const using = (body: BedrockBody) => body.messages.find((message) => uses(message).length > 0);
const answering = (body: BedrockBody) => body.messages.find((message) => results(message).length > 0);

export const bedrockRules: readonly Rule<BedrockBody>[] = [
  {
    name: "signature of the request",
    says: "every request is signed with Signature Version 4, or carries a bearer key",
    page: "AWS Signature Version 4 for API requests",
    status: 403,
    check: (ask) =>
      ask.headers.get("authorization")?.startsWith("Bearer ") || signatureFits(ask)
        ? undefined
        : "The request signature we calculated does not match the signature you provided.",
    broken: [
      (_, headers) => headers.delete("authorization"),
      (_, headers) => headers.set("x-amz-date", "20200101T000000Z"),
    ],
  },
  {
    name: "shape",
    says: "members have the documented names and types, and a block is exactly one kind of content",
    page: reference,
    check: ({ body }) => shape(body, "body"),
    broken: [
      (body) => Object.assign(body, { max_tokens: 1 }),
      (body) => delete (body as Partial<BedrockBody>).messages,
      (body) => Object.assign(body.messages[0] ?? {}, { role: "system" }),
      (body) => Object.assign(images(body)[0] ?? {}, { format: "tiff" }),
    ],
  },
  {
    name: "first role",
    says: "a conversation starts with a user message",
    page: reference,
    check: ({ body }) =>
      body.messages[0]?.role === "user"
        ? undefined
        : "A conversation must start with a user message. " +
          "Try again with a conversation that starts with a user message.",
    broken: (body) => body.messages.unshift({ role: "assistant", content: [{ text: "hello" }] }),
  },
  {
    name: "role order",
    says: "roles alternate between user and assistant",
    page: reference,
    check: ({ body: { messages } }) =>
      messages.some(({ role }, at) => role === messages[at - 1]?.role)
        ? "A conversation must alternate between user and assistant roles."
        : undefined,
    broken: (body) => body.messages.push({ role: "user", content: [{ text: "and" }] }),
  },
  {
    name: "empty content",
    says: "a message has content, and a text some characters that are not blank",
    page: blocks,
    check: ({ body }) =>
      body.messages.some((message) => message.content.length === 0) || all(body).some(({ text }) => text?.trim() === "")
        ? "The text field in the ContentBlock object is blank. Add text to the text field, and try again."
        : undefined,
    broken: [
      (body) => body.messages[0]?.content.push({ text: " " }),
      (body) => body.messages.push({ role: "assistant", content: [] }),
    ],
  },
  {
    name: "call id",
    says: "a tool use id has 1 to 64 letters, digits, underscores and hyphens",
    page: "Bedrock API reference: ToolUseBlock",
    check: ({ body }) =>
      body.messages.flatMap(uses).some(({ toolUseId }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(toolUseId))
        ? "Value at 'toolUseId' failed to satisfy constraint"
        : undefined,
    broken: (body) => Object.assign(uses(using(body))[0] ?? {}, { toolUseId: "a|b" }),
  },
  {
    name: "unanswered call",
    says: "every tool use has its result in the next message",
    page: calling,
    check: ({ body: { messages } }) =>
      messages.some((message, at) => {
        const answered = results(messages[at + 1]).map(({ toolUseId }) => toolUseId);
        return uses(message).some(({ toolUseId }) => !answered.includes(toolUseId));
      })
        ? "Expected toolResult blocks for the tool uses of the previous turn."
        : undefined,
    broken: (body) => answering(body)?.content.splice(0, 1),
  },
  {
    name: "result without call",
    says: "tool results answer the tool uses of the turn before, each once",
    page: calling,
    check: ({ body: { messages } }) =>
      messages.some((message, at) => {
        const called = uses(messages[at - 1]).map(({ toolUseId }) => toolUseId);
        const ids = results(message).map(({ toolUseId }) => toolUseId);
        return repeated(ids) !== undefined || ids.some((id) => !called.includes(id));
      })
        ? "The number of toolResult blocks exceeds the number of toolUse blocks of previous turn."
        : undefined,
    broken: (body) =>
      body.messages.at(-1)?.content.push({ toolResult: { toolUseId: "none", content: [{ text: "x" }] } }),
  },
  {
    name: "empty failure",
    says: "the result of a failed call has content",
    page: "Bedrock API reference: ToolResultBlock",
    check: ({ body }) =>
      body.messages.flatMap(results).some(({ status, content }) => status === "error" && content.length === 0)
        ? "The content field at toolResult cannot be empty when status value is error."
        : undefined,
    broken: (body) => Object.assign(results(answering(body))[0] ?? {}, { status: "error", content: [] }),
  },
  {
    name: "call id twice",
    says: "tool use ids are unique within a request",
    page: calling,
    check: ({ body }) =>
      repeated(body.messages.flatMap(uses).map(({ toolUseId }) => toolUseId))
        ? "The messages contain duplicate Ids"
        : undefined,
    broken: (body) => {
      const [use] = uses(using(body));
      if (use) using(body)?.content.push({ toolUse: { ...use } });
    },
  },
  {
    name: "tools named",
    says: "a request with tool blocks defines the tool configuration",
    page: calling,
    check: ({ body }) =>
      body.toolConfig || !all(body).some(({ toolUse, toolResult }) => toolUse || toolResult)
        ? undefined
        : "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
    broken: (body) => delete body.toolConfig,
  },
  {
    name: "tool name",
    says: "tool names have up to 64 letters, digits, underscores and hyphens",
    page: "Bedrock API reference: ToolSpecification",
    check: ({ body }) =>
      [
        ...(body.toolConfig?.tools ?? []).flatMap(({ toolSpec }) => toolSpec ?? []),
        ...body.messages.flatMap(uses),
      ].some(({ name }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
        ? "Value at 'name' failed to satisfy constraint"
        : undefined,
    broken: [
      (body) => Object.assign(body.toolConfig?.tools[0]?.toolSpec ?? {}, { name: "a b" }),
      (body) => Object.assign(uses(using(body))[0] ?? {}, { name: "a.b" }),
    ],
  },
  {
    name: "signature",
    says: "reasoning comes back unchanged, with the signature it was sent with",
    page: "Bedrock API reference: ReasoningTextBlock",
    check: ({ body }) =>
      all(body).some(({ reasoningContent }) => {
        const text = reasoningContent?.reasoningText;
        return text !== undefined && text.signature !== signatureFor(text.text);
      })
        ? "Invalid `signature` in `thinking` block"
        : undefined,
    broken: (body) =>
      Object.assign(all(body).find(({ reasoningContent }) => reasoningContent)?.reasoningContent?.reasoningText ?? {}, {
        signature: "bm90IG91cnM=",
      }),
  },
  {
    name: "cache points",
    says: "a request holds at most four cache points",
    page: "Bedrock user guide: prompt caching",
    check: ({ raw }) =>
      raw.split('"cachePoint"').length > 5 ? "The maximum number of cache points was exceeded" : undefined,
    broken: (body) =>
      body.messages[0]?.content.push(...Array.from({ length: 5 }, () => ({ cachePoint: { type: "default" } }))),
  },
  {
    name: "image count",
    says: "a request holds at most 20 images",
    page: "Bedrock API reference: Message",
    check: ({ body }) => (images(body).length > 20 ? "You can include up to 20 images" : undefined),
    broken: (body) =>
      body.messages[0]?.content.push(
        ...Array.from({ length: 21 }, () => ({ image: { format: "png", source: { bytes: "aGk=" } } })),
      ),
  },
  {
    name: "image size",
    says: "an image has at most 3.75 MB",
    page: "Bedrock API reference: Message",
    check: ({ body }) =>
      images(body).some(({ source }) => bytesOf(source.bytes) > 3.75 * 1024 * 1024)
        ? "The image exceeds the maximum size"
        : undefined,
    broken: (body) => Object.assign(images(body)[0]?.source ?? {}, { bytes: "A".repeat(5_300_000) }),
  },
  {
    name: "output limit",
    says: "maxTokens is at least 1",
    page: "Bedrock API reference: InferenceConfiguration",
    check: ({ body }) =>
      (body.inferenceConfig?.maxTokens ?? 1) < 1
        ? "Value at 'inferenceConfig.maxTokens' failed to satisfy constraint"
        : undefined,
    broken: (body) => Object.assign(body, { inferenceConfig: { maxTokens: 0 } }),
  },
];
