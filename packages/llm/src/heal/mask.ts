import { createHash } from "node:crypto";
import type { AssistantMessage, Image, Message, Text, Thinking, ToolCall } from "../message/message.ts";

type Part = Text | Image | Thinking | ToolCall;

/**
 * A part of a history that can be removed alone. The key is a hash of its content, so it is the same after a resume.
 */
export interface HistoryBlock {
  key: string;
  /** Description for people. */
  what: string;
}

/** All blocks of a history, in order. */
export function historyBlocks(messages: readonly Message[]): HistoryBlock[] {
  return messages.flatMap((message) =>
    partsOf(message).map((part) => ({ key: keyOf(message, part), what: describe(message, part) })),
  );
}

/** Replaces these blocks by a short text, so that calls and results still match. */
export function without(messages: readonly Message[], keys: ReadonlySet<string>): Message[] {
  if (keys.size === 0) return [...messages];
  return messages.map((message) => {
    const parts = partsOf(message);
    if (!parts.some((part) => keys.has(keyOf(message, part)))) return message;
    const content = parts.flatMap((part) => (keys.has(keyOf(message, part)) ? setAside(part) : [part]));
    return { ...message, content } as Message;
  });
}

const leftOut = "[left out: the server did not accept what stood here]";

function setAside(part: Part): Part[] {
  if (part.type === "thinking") return [];
  // A call keeps its id, since its result refers to it.
  if (part.type === "toolCall")
    return [{ type: "toolCall", id: part.id, name: part.name, arguments: { note: leftOut } }];
  return [{ type: "text", text: leftOut }];
}

function partsOf({ content }: Message): readonly Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : (content as AssistantMessage["content"]);
}

const keys = new WeakMap<object, string>();

function keyOf(message: Message, part: Part): string {
  // A message of one text has no part object, so the message itself is the key.
  const owner = typeof message.content === "string" ? message : part;
  const known = keys.get(owner);
  if (known !== undefined) return known;
  const key = createHash("sha256")
    .update(JSON.stringify([message.role, part]))
    .digest("hex")
    .slice(0, 20);
  keys.set(owner, key);
  return key;
}

function describe(message: Message, part: Part): string {
  const whose =
    message.role === "toolResult"
      ? `a result of ${message.toolName}`
      : message.role === "assistant"
        ? "a reply"
        : "a prompt";
  return part.type === "toolCall"
    ? `a call of ${part.name}`
    : `${part.type === "text" ? "the text" : part.type === "image" ? "an image" : "the thinking"} of ${whose}`;
}
