// Messages of a conversation. Field names are those of the session format (version 3): memory and disk have the same
// form, so nothing is converted.
export interface Text {
  type: "text";
  text: string;
  textSignature?: string;
}
export interface Image {
  type: "image";
  /** base64 */
  data: string;
  mimeType: string;
}
export interface Thinking {
  type: "thinking";
  thinking: string;
  /** Opaque; sent back unchanged where the vendor requires it. */
  thinkingSignature?: string;
  redacted?: boolean;
}
export interface ToolCall {
  type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  thoughtSignature?: string;
  /** The text the model wrote, kept only when it is not a JSON object; `arguments` is then `{}`. */
  rawArguments?: string;
}

export interface UserMessage {
  role: "user";
  content: string | (Text | Image)[];
  timestamp: number;
}
/** A user message with a vendor's own summary of the same content. */
export interface SealedMessage extends UserMessage {
  sealed: Sealed;
}
/** A summary that only its vendor can read; other models get the text of the message. */
export interface Sealed {
  vendor: string;
  /** The only model that gets it; absent: any model of the vendor. */
  model?: string | undefined;
  /** Items of that vendor's protocol. */
  items: readonly SealedItem[];
  /** Text that follows the items. */
  text: string;
}
export type SealedItem =
  | { type: "message"; role: "user" | "assistant"; content: readonly object[] }
  | { type: "compaction" | "compaction_summary"; id?: string | undefined; encrypted_content: string };
export interface AssistantMessage {
  role: "assistant";
  content: (Text | Thinking | ToolCall)[];
  api: string;
  provider: string;
  model: string;
  responseModel?: string;
  responseId?: string;
  usage: Usage;
  stopReason: StopReason;
  errorMessage?: string;
  rawStopReason?: string;
  timestamp: number;
}
export interface ToolResultMessage {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (Text | Image)[];
  details?: Record<string, unknown>;
  isError: boolean;
  timestamp: number;
}
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

export interface Usage {
  /** Input tokens neither read from nor written to a cache. */
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour. */
  cacheWrite1h?: number;
  /** Already inside `output`. */
  reasoning?: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

export const noUsage = (): Usage => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
});
