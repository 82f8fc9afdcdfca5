import { type FileChange, schema as s } from "@pith/agent";
import {
  type AssistantMessage,
  efforts,
  type Image,
  type Model,
  type Text,
  type Thinking,
  type ToolCall,
  type ToolResultMessage,
  type Usage,
  type UserMessage,
} from "@pith/llm";
import { bool, fields, int, of, text } from "./schema.ts";

// What events and answers of commands are made of, by the names that pi writes.

const textPart = of<Text>({ type: s.literal("text"), text, textSignature: text.optional() });
const image = of<Image>({ type: s.literal("image"), data: text.describe("base64"), mimeType: text });
const thinking = of<Thinking>({
  type: s.literal("thinking"),
  thinking: text,
  thinkingSignature: text.optional(),
  redacted: bool.optional(),
});
export const toolCall = of<ToolCall>({
  type: s.literal("toolCall"),
  id: text,
  name: text,
  arguments: fields,
  thoughtSignature: text.optional(),
  rawArguments: text.optional(),
});
const prices = { input: s.number(), output: s.number(), cacheRead: s.number(), cacheWrite: s.number() };
export const usage = of<Usage>({
  input: int,
  output: int,
  cacheRead: int,
  cacheWrite: int,
  cacheWrite1h: int.optional(),
  reasoning: int.optional(),
  totalTokens: int,
  cost: of<Usage["cost"]>({ ...prices, total: s.number() }),
});
export const shown = s.array(s.union([textPart, image]));

const user = of<UserMessage>({ role: s.literal("user"), content: s.union([text, shown]), timestamp: s.number() });
const answer = {
  role: s.literal("assistant"),
  content: s.array(s.union([textPart, thinking, toolCall])),
  api: text,
  provider: text,
  model: text,
  responseModel: text.optional(),
  responseId: text.optional(),
  usage,
  errorMessage: text.optional(),
  rawStopReason: text.optional(),
  timestamp: s.number(),
};
export const assistant = of<AssistantMessage>({
  ...answer,
  stopReason: s.oneOf(["stop", "length", "toolUse", "error", "aborted"]),
});
/** An answer that has begun; what it will hold comes as updates. */
const pending = of<PendingMessage>({ ...answer, stopReason: s.literal("pending") });
export type PendingMessage = Omit<AssistantMessage, "stopReason"> & { stopReason: "pending" };

export const toolResult = of<ToolResultMessage>({
  role: s.literal("toolResult"),
  toolCallId: text,
  toolName: text,
  content: shown,
  details: fields.optional(),
  isError: bool,
  timestamp: s.number(),
});
/** A note of pith that the model reads too. */
const custom = s.object({
  role: s.literal("custom"),
  customType: text,
  content: s.union([text, shown]),
  display: bool,
  details: s.unknown().optional(),
  timestamp: s.number(),
});
/** A command that a person ran, as it stands in the record. */
const run = s.object({
  role: s.literal("bashExecution"),
  command: text,
  output: text,
  exitCode: int.optional(),
  signal: text.optional(),
  limit: text.optional(),
  cancelled: bool,
  truncated: bool,
  timedOut: bool.optional(),
  totalLines: int.optional(),
  artifactId: text.optional(),
  excludeFromContext: bool.optional(),
  timestamp: s.number(),
});
export const message = s.union([user, assistant, pending, toolResult, custom, run]);

export const fileChange = of<FileChange>({
  path: text,
  change: s.oneOf(["added", "modified", "deleted", "moved"]),
  from: text.optional(),
  added: int,
  removed: int,
  patch: text,
  firstChangedLine: int.optional(),
});

export const level = s.oneOf(efforts);
export const model = s.object({
  id: text,
  name: text,
  api: text,
  provider: text,
  reasoning: bool,
  input: s.array(s.oneOf(["text", "image"])),
  contextWindow: int,
  maxTokens: int,
  cost: s.object(prices),
});

export type WireModel = s.Infer<typeof model>;

/** A model by the names that pi writes. */
export const wireModel = ({ vendor, maxOutput, cost, input, ...of }: Model): WireModel => ({
  id: of.id,
  name: of.name,
  api: of.api,
  provider: vendor,
  reasoning: of.reasoning,
  input: [...input],
  contextWindow: of.contextWindow,
  maxTokens: maxOutput,
  cost: { input: cost.input, output: cost.output, cacheRead: cost.cacheRead, cacheWrite: cost.cacheWrite },
});

/** Schemas that have a name in the published schema, which says each of them once. */
export const named = {
  text: textPart,
  image,
  thinking,
  toolCall,
  usage,
  userMessage: user,
  assistantMessage: assistant,
  pendingMessage: pending,
  toolResultMessage: toolResult,
  customMessage: custom,
  bashExecutionMessage: run,
  message,
  fileChange,
  model,
};
