import type { Answer, Changed, Entry, Event, FileChange, Form, Option, TurnEnd } from "@pith/agent";
import type { AssistantMessage, Image, Message, Text, ToolCall, ToolResultMessage, Usage } from "@pith/llm";

/**
 * The public events of JSON mode, RPC and serve, by the names and shapes that pi writes. A `turn` here is what the
 * house calls a step: one answer of the model and the calls it made. Documented in docs/json-events.md.
 */
export type WireEvent =
  | { type: "agent_start" }
  | { type: "turn_start" }
  | { type: "message_start"; message: WireMessage }
  | { type: "message_update"; usage: Usage; assistantMessageEvent: WireDelta }
  | { type: "message_end"; message: WireMessage }
  | { type: "tool_execution_start"; toolCallId: string; toolName: string; args: Record<string, unknown> }
  | {
      type: "tool_execution_update";
      toolCallId: string;
      toolName: string;
      args: Record<string, unknown>;
      partialResult: WireResult;
    }
  | { type: "tool_execution_end"; toolCallId: string; toolName: string; result: WireResult; isError: boolean }
  | { type: "turn_end"; message: AssistantMessage; toolResults: readonly ToolResultMessage[] }
  | { type: "agent_end"; messages: readonly WireMessage[]; willRetry: false; end: TurnEnd }
  | { type: "agent_settled" }
  | { type: "auto_retry_start"; attempt: number; delayMs: number; errorMessage: string }
  | { type: "auto_retry_end"; success: boolean; attempt: number; finalError?: string }
  | { type: "entry_appended"; entry: Entry }
  | { type: "queue_update"; steering: readonly string[]; followUp: readonly string[] }
  | {
      type: "question";
      id: string;
      agent: string;
      form: Form;
      text: string;
      options?: readonly Option[];
      toolCallId?: string;
      toolName?: string;
      args?: Record<string, unknown>;
      /** What the call will do: effect, real paths by effect, command, directory, variables, hosts. */
      intent?: Record<string, unknown>;
    }
  | ({ type: "answer"; id: string } & Answer)
  | Extract<Event, { type: "output" | "status" | "panel" }>
  | ({ type: "files_changed" } & Changed)
  | { type: "edit_preview"; toolCallId: string; toolName: string; files: readonly FileChange[] }
  | { type: "notice"; level: "info" | "warn" | "error"; text: string };

export type WireDelta =
  | { type: "text_start" | "thinking_start"; contentIndex: number }
  | { type: "text_delta" | "thinking_delta" | "toolcall_delta"; contentIndex: number; delta: string }
  | { type: "text_end" | "thinking_end"; contentIndex: number; content: string }
  | { type: "toolcall_start"; contentIndex: number; id: string; toolName: string }
  | { type: "toolcall_end"; contentIndex: number; toolCall: ToolCall };

export type WireMessage = Message | PendingMessage | CustomWireMessage;
/** An answer that has begun; what it will hold comes as updates. */
export type PendingMessage = Omit<AssistantMessage, "stopReason"> & { stopReason: "pending" };
/** A note of the house that the model reads too. */
export interface CustomWireMessage {
  role: "custom";
  customType: string;
  content: string | (Text | Image)[];
  display: boolean;
  details?: unknown;
  timestamp: number;
}

export interface WireResult {
  content: (Text | Image)[];
  details?: Record<string, unknown>;
}
