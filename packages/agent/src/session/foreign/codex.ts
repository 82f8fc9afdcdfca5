import type { AssistantMessage, Image, Text } from "@pith/llm";
import { parseObject } from "../index/head.ts";
import { type Foreign, type Json, list, object, reply, type Timed, text } from "./read.ts";

/** A session file of the Codex CLI: items of its protocol, one per line, some of them written twice for its own screen. */
export function readCodex(lines: readonly Json[]): Foreign | undefined {
  const meta = lines.find((line) => line.type === "session_meta");
  // Before there were wrapped lines, the first one was the bare head of the file.
  const head = meta ? object(meta.payload) : object(lines[0]);
  const id = text(head.id);
  if (!id) return undefined;
  const writer = new Writer();
  for (const line of lines) {
    const timestamp = text(line.timestamp) ?? text(head.timestamp) ?? "";
    if (line.type === "turn_context") writer.model = text(object(line.payload).model) ?? writer.model;
    else if (line.type === "compacted") writer.compact(text(object(line.payload).message) ?? "", timestamp);
    else if (line.type === "response_item") writer.take(object(line.payload), timestamp);
    else if (!meta && line !== lines[0]) writer.take(line, timestamp);
  }
  writer.flush();
  const cwd = text(head.cwd) ?? text(object(lines.find((line) => line.type === "turn_context")?.payload).cwd) ?? "/";
  return { id, cwd, timestamp: text(head.timestamp) ?? text(lines[0]?.timestamp) ?? new Date(0).toISOString(), drafts: writer.drafts };
}

/** Collects the pieces of a reply until somebody else speaks. */
class Writer {
  readonly drafts: Timed[] = [];
  model = "unknown";
  readonly #names = new Map<string, string>();
  #content: AssistantMessage["content"] = [];
  #timestamp = "";

  take(item: Json, timestamp: string): void {
    const piece = replyPiece(item);
    if (piece) {
      this.#timestamp ||= timestamp;
      this.#content.push(...piece);
      for (const part of piece) if (part.type === "toolCall") this.#names.set(part.id, part.name);
      return;
    }
    const call = text(item.call_id);
    if (typeof item.type === "string" && item.type.endsWith("_output") && call) {
      this.#result(call, item.output, timestamp);
      return;
    }
    const said = item.type === "message" && item.role === "user" ? parts(item.content).filter((part) => part.type !== "text" || !isAdded(part.text)) : [];
    if (said.length === 0) return;
    this.flush();
    this.drafts.push({ draft: { type: "message", message: { role: "user", content: said, timestamp: Date.parse(timestamp) || 0 } }, timestamp });
  }

  compact(summary: string, timestamp: string): void {
    this.flush();
    this.drafts.push({ draft: { type: "compaction", summary, firstKeptEntryId: "", tokensBefore: 0 }, timestamp });
  }

  flush(): void {
    if (this.#content.length > 0) {
      const timestamp = this.#timestamp;
      this.drafts.push({ draft: reply({ content: this.#content, api: "openai-responses", provider: "openai", model: this.model, timestamp }), timestamp });
    }
    this.#content = [];
    this.#timestamp = "";
  }

  #result(id: string, output: unknown, timestamp: string): void {
    this.flush();
    const { content, failed } = outcome(output);
    const message = {
      role: "toolResult" as const,
      toolCallId: id,
      toolName: this.#names.get(id) ?? "unknown",
      content,
      isError: failed,
      timestamp: Date.parse(timestamp) || 0,
    };
    this.drafts.push({ draft: { type: "message", message }, timestamp });
  }
}

function replyPiece(item: Json): AssistantMessage["content"] | undefined {
  if (item.type === "message" && item.role === "assistant") return parts(item.content).filter((part) => part.type === "text");
  if (item.type === "reasoning") {
    const thought = [...list(item.summary), ...list(item.content)].flatMap((part) => text(part.text) ?? []).join("\n");
    return thought ? [{ type: "thinking", thinking: thought }] : [];
  }
  const id = text(item.call_id) ?? text(item.id);
  if (!id) return undefined;
  if (item.type === "function_call") return [{ type: "toolCall", id, name: text(item.name) ?? "unknown", arguments: argumentsOf(item.arguments) }];
  if (item.type === "custom_tool_call") return [{ type: "toolCall", id, name: text(item.name) ?? "unknown", arguments: { input: item.input } }];
  if (item.type === "local_shell_call") return [{ type: "toolCall", id, name: "shell", arguments: object(item.action) }];
  return undefined;
}

const argumentsOf = (value: unknown): Json => (typeof value === "string" ? (parseObject(value) ?? { input: value }) : object(value));

/** An output is text, or JSON in a text that holds the text, or parts. */
function outcome(output: unknown): { content: (Text | Image)[]; failed: boolean } {
  if (Array.isArray(output)) return { content: parts(output), failed: false };
  const wrapped = typeof output === "string" ? parseObject(output) : object(output);
  const inner = text(wrapped?.output) ?? text(wrapped?.content) ?? (typeof output === "string" ? output : JSON.stringify(output ?? ""));
  const code = object(wrapped?.metadata).exit_code;
  return { content: [{ type: "text", text: inner }], failed: wrapped?.success === false || (typeof code === "number" && code !== 0) };
}

function parts(content: unknown): (Text | Image)[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return list(content).flatMap((part): (Text | Image)[] => {
    const said = text(part.text);
    if (said) return [{ type: "text", text: said }];
    const [, mimeType, data] = /^data:(image\/[^;,]+);base64,(.+)$/s.exec(text(part.image_url) ?? "") ?? [];
    return mimeType && data ? [{ type: "image", data, mimeType }] : [];
  });
}

/** What the program itself puts into the mouth of its user. */
const isAdded = (said: string) =>
  /^\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted|skill|subagent)|# AGENTS\.md instructions)/.test(said);
