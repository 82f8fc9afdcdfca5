import type { AssistantMessage, Image, Text } from "@pith/llm";
import { noUsage } from "@pith/llm";
import type { Draft } from "../entry.ts";
import { type Foreign, type Json, list, number, object, reply, type Timed, text } from "./read.ts";

/** A session file of Claude Code: lines that form a tree; a reply is spread over several of them. */
export function readClaude(lines: readonly Json[]): Foreign | undefined {
  const spoken = lines.filter((line) => (line.type === "user" || line.type === "assistant") && line.isSidechain !== true && line.isMeta !== true);
  const first = spoken[0];
  const id = text(first?.sessionId);
  if (!first || !id) return undefined;
  const kept = onPath(lines, spoken);
  const drafts: Timed[] = [];
  const names = new Map<string, string>();
  for (let at = 0; at < kept.length; at++) {
    const line = kept[at] as Json;
    const timestamp = text(line.timestamp) ?? "";
    if (line.type === "user") drafts.push(...fromUser(line, names).map((draft) => ({ draft, timestamp })));
    else if (isFirstOfReply(kept, at)) drafts.push({ draft: fromReply(kept, line, timestamp, names), timestamp });
  }
  const title = titleOf(lines);
  if (title) drafts.push({ draft: { type: "session_info", name: title }, timestamp: text(kept.at(-1)?.timestamp) ?? "" });
  return { id, cwd: text(spoken.find((line) => text(line.cwd))?.cwd) ?? "/", timestamp: text(first.timestamp) ?? new Date(0).toISOString(), drafts };
}

/** The lines on the way to the last one, with the other parts of their replies and the answers to their calls. */
function onPath(lines: readonly Json[], spoken: readonly Json[]): Json[] {
  const byId = new Map(lines.flatMap((line) => (text(line.uuid) ? [[text(line.uuid) ?? "", line]] : [])));
  const path = new Set<string>();
  for (let line = spoken.at(-1); line && !path.has(text(line.uuid) ?? ""); ) {
    path.add(text(line.uuid) ?? "");
    // A boundary of a compaction has no parent, only the memory of one.
    line = byId.get(text(line.parentUuid) ?? text(line.logicalParentUuid) ?? "");
  }
  const replies = new Set(spoken.filter((line) => path.has(text(line.uuid) ?? "")).flatMap((line) => messageId(line) ?? []));
  const mine = (line: Json) => path.has(text(line.uuid) ?? "") || replies.has(messageId(line) ?? "");
  const calls = new Set(
    spoken.filter(mine).flatMap((line) => list(object(line.message).content).flatMap((part) => (part.type === "tool_use" ? [text(part.id)] : []))),
  );
  const answers = (line: Json) => list(object(line.message).content).some((part) => part.type === "tool_result" && calls.has(text(part.tool_use_id)));
  return spoken.filter((line) => mine(line) || answers(line));
}

const messageId = (line: Json): string | undefined => (line.type === "assistant" ? text(object(line.message).id) : undefined);

const isFirstOfReply = (lines: readonly Json[], at: number): boolean => {
  const id = messageId(lines[at] as Json);
  return id === undefined || lines.findIndex((line) => messageId(line) === id) === at;
};

function fromReply(lines: readonly Json[], first: Json, timestamp: string, names: Map<string, string>): Draft {
  const id = messageId(first);
  const parts = id === undefined ? [first] : lines.filter((line) => messageId(line) === id);
  const last = object(parts.at(-1)?.message);
  const content = parts.flatMap((line) => list(object(line.message).content).flatMap((part) => replyPart(part, names)));
  const usage = object(last.usage);
  const [input, output, cacheRead, cacheWrite] = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"].map((key) =>
    number(usage[key]),
  ) as [number, number, number, number];
  return reply({
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: text(last.model) ?? "unknown",
    usage: { ...noUsage(), input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite },
    ...(id ? { responseId: id } : {}),
    ...(last.stop_reason === "max_tokens" ? { stopReason: "length" as const } : {}),
    timestamp,
  });
}

function replyPart(part: Json, names: Map<string, string>): AssistantMessage["content"] {
  if (part.type === "text" && text(part.text)) return [{ type: "text", text: text(part.text) ?? "" }];
  if (part.type === "thinking") {
    const signature = text(part.signature);
    return [{ type: "thinking", thinking: text(part.thinking) ?? "", ...(signature ? { thinkingSignature: signature } : {}) }];
  }
  const [id, name] = [text(part.id), text(part.name)];
  if (part.type !== "tool_use" || !id || !name) return [];
  names.set(id, name);
  return [{ type: "toolCall", id, name, arguments: object(part.input) }];
}

function fromUser(line: Json, names: ReadonlyMap<string, string>): Draft[] {
  const { content } = object(line.message);
  const timestamp = Date.parse(text(line.timestamp) ?? "") || 0;
  if (line.isCompactSummary === true) return [{ type: "compaction", summary: plain(content), firstKeptEntryId: "", tokensBefore: 0 }];
  const results = list(content).flatMap((part): Draft[] => {
    const id = text(part.tool_use_id);
    if (part.type !== "tool_result" || !id) return [];
    const message = {
      role: "toolResult" as const,
      toolCallId: id,
      toolName: names.get(id) ?? "unknown",
      content: parts(part.content),
      isError: part.is_error === true,
      timestamp,
    };
    return [{ type: "message", message }];
  });
  const said = parts(content);
  return said.length > 0 && results.length === 0 ? [{ type: "message", message: { role: "user", content: said, timestamp } }] : results;
}

function parts(content: unknown): (Text | Image)[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return list(content).flatMap((part): (Text | Image)[] => {
    if (part.type === "text" && text(part.text)) return [{ type: "text", text: text(part.text) ?? "" }];
    const source = object(part.source);
    const [data, mimeType] = [text(source.data), text(source.media_type)];
    return part.type === "image" && data && mimeType ? [{ type: "image", data, mimeType }] : [];
  });
}

const plain = (content: unknown): string =>
  parts(content)
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n");

function titleOf(lines: readonly Json[]): string | undefined {
  const titles = lines.map((line) => ({ "custom-title": line.customTitle, "ai-title": line.aiTitle, summary: line.summary })[String(line.type)]);
  return titles.map(text).findLast((title) => title !== undefined);
}
