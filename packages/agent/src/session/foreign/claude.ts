import type { AssistantMessage, Image, Text } from "@pith/llm";
import { noUsage } from "@pith/llm";
import type { EntryDraft } from "../entry.ts";
import { textOf } from "../text.ts";
import { type ForeignCall, foreignOrigin } from "./origin.ts";
import {
  type ForeignSession,
  type Json,
  list,
  number,
  object,
  replyDraft,
  resultDraft,
  type TimedDraft,
  text,
  userDraft,
} from "./read.ts";

/** Reads a session file of Claude Code: lines that form a tree, with replies spread over several lines. */
export function readClaude(lines: readonly Json[]): ForeignSession | undefined {
  const spoken = lines.filter((line) => isSpoken(line) && line.isSidechain !== true && line.isMeta !== true);
  const first = spoken[0];
  const id = text(first?.sessionId);
  if (!first || !id) return undefined;
  const byId = new Map(lines.flatMap((line) => (text(line.uuid) ? [[text(line.uuid) ?? "", line]] : [])));
  const replyOf = repliesIn(spoken);
  const kept = onPath(byId, spoken, replyOf);
  const drafts: TimedDraft[] = [];
  const calls = new Map<string, ForeignCall>();
  const cwd = text(spoken.find((line) => text(line.cwd))?.cwd) ?? "/";
  const replies = Map.groupBy(kept, (line) => replyOf.get(line));
  kept.forEach((line, at) => {
    const timestamp = text(line.timestamp) ?? "";
    const parts = replies.get(replyOf.get(line)) ?? [];
    if (line.type !== "assistant")
      drafts.push(
        ...fromUser(line, byId, calls, kept[at + 1]).map((draft) => ({
          draft,
          timestamp,
          origin: text(line.uuid),
          mark: markOf(draft, calls, drafts.length > 0 ? "known" : "unknown"),
        })),
      );
    else if (parts[0] === line)
      drafts.push({
        draft: fromReply(parts, timestamp, calls, cwd),
        timestamp,
        origin: text(line.uuid),
        mark: hostedIn(parts),
      });
  });
  return {
    id,
    cwd,
    timestamp: text(first.timestamp) ?? new Date(0).toISOString(),
    title: titleOf(lines),
    drafts,
  };
}

/** Origin of foreign text in a draft; a summary holds some if nothing tells what it was made of. */
function markOf(
  draft: EntryDraft,
  calls: ReadonlyMap<string, ForeignCall>,
  before: "known" | "unknown",
): TimedDraft["mark"] {
  if (draft.type === "compaction")
    return before === "known" ? undefined : { from: "outside", what: "a summary of what was not imported" };
  if (draft.type !== "message") return undefined;
  if (draft.message.role === "toolResult")
    return foreignOrigin(calls.get(draft.message.toolCallId) ?? { name: "an unknown tool", input: {} });
  return textOf(draft.message.content).includes("<bash-stdout>")
    ? { from: "network", what: "a command that was typed" }
    : undefined;
}

/** Origin of what the model's server looked up for it; the record holds no result of that. */
function hostedIn(lines: readonly Json[]): TimedDraft["mark"] {
  const hosted = lines
    .flatMap((line) => list(object(line.message).content))
    .find((part) => /^(?:server|mcp)_tool_use$|_tool_result$/.test(text(part.type) ?? ""));
  return hosted && { from: "web", what: text(hosted.name) ?? "a tool of the server" };
}

/**
 * Groups lines of the model into replies. Parts have one id and one request; but some servers give every reply the same
 * id, and then a reply ends where somebody else speaks: its parts hang on each other, or belong to one request with
 * only results of its calls in between.
 */
function repliesIn(spoken: readonly Json[]): Map<Json, number> {
  const replyOf = new Map<Json, number>();
  const byId = new Map<string, number>();
  const open = new Map<string, number>();
  let count = 0;
  for (const line of spoken) {
    if (line.type !== "assistant") {
      if (parts(object(line.message).content).length > 0 || line.type === "attachment") open.clear();
      continue;
    }
    const [id, request] = [messageId(line), text(line.requestId)];
    const key = JSON.stringify([id, request]);
    const known = id === undefined ? undefined : open.get(key);
    const isPart = known !== undefined && (request !== undefined || byId.get(text(line.parentUuid) ?? "") === known);
    const reply = isPart ? known : count++;
    open.set(key, reply);
    byId.set(text(line.uuid) ?? "", reply);
    replyOf.set(line, reply);
  }
  return replyOf;
}

/**
 * True for lines of the user or the model; input typed while the model worked is an attachment. Texts that the program
 * itself put in are skipped.
 */
function isSpoken(line: Json): boolean {
  if (line.type === "assistant") return object(line.message).model !== "<synthetic>" && line.isApiErrorMessage !== true;
  return line.type === "user" || (line.type === "attachment" && object(line.attachment).type === "queued_command");
}

/** Lines on the path to the last one, with the other parts of their replies and the results of their calls. */
function onPath(byId: ReadonlyMap<string, Json>, spoken: readonly Json[], replyOf: ReadonlyMap<Json, number>): Json[] {
  const path = new Set<string>();
  const at = new Map([...byId.values()].map((line, place) => [line, place]));
  for (let line = spoken.at(-1); line && !path.has(text(line.uuid) ?? ""); ) {
    path.add(text(line.uuid) ?? "");
    // A compaction boundary has no parent, only a logical one.
    const named = text(line.parentUuid) ?? text(line.logicalParentUuid);
    const above = byId.get(named ?? "");
    // A missing or circular parent was most likely the line before.
    const lost = named !== undefined && (!above || path.has(named));
    const place = at.get(line) ?? 0;
    line = lost ? spoken.findLast((one) => (at.get(one) ?? 0) < place && !path.has(text(one.uuid) ?? "")) : above;
  }
  const replies = new Set(
    spoken.filter((line) => path.has(text(line.uuid) ?? "")).flatMap((line) => replyOf.get(line) ?? []),
  );
  const mine = (line: Json) => path.has(text(line.uuid) ?? "") || replies.has(replyOf.get(line) ?? -1);
  const calls = new Set(
    spoken
      .filter(mine)
      .flatMap((line) =>
        list(object(line.message).content).flatMap((part) => (part.type === "tool_use" ? [text(part.id)] : [])),
      ),
  );
  const answers = (line: Json) =>
    list(object(line.message).content).some((part) => part.type === "tool_result" && calls.has(text(part.tool_use_id)));
  return spoken.filter((line) => mine(line) || answers(line));
}

const messageId = (line: Json): string | undefined =>
  line.type === "assistant" ? text(object(line.message).id) : undefined;

function fromReply(
  parts: readonly Json[],
  timestamp: string,
  calls: Map<string, ForeignCall>,
  cwd: string,
): EntryDraft {
  const last = object(parts.at(-1)?.message);
  const content = parts.flatMap((line) =>
    list(object(line.message).content).flatMap((part) => replyPart(part, calls, cwd)),
  );
  const used = object(last.usage);
  const [input, output] = [number(used.input_tokens), number(used.output_tokens)];
  const [cacheRead, cacheWrite] = [number(used.cache_read_input_tokens), number(used.cache_creation_input_tokens)];
  const totalTokens = input + output + cacheRead + cacheWrite;
  const message = {
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: text(last.model) ?? "unknown",
    usage: { ...noUsage(), input, output, cacheRead, cacheWrite, totalTokens },
    responseId: messageId(parts[0] ?? {}),
  };
  return replyDraft(last.stop_reason === "max_tokens" ? { ...message, stopReason: "length" } : message, timestamp);
}

function replyPart(part: Json, calls: Map<string, ForeignCall>, cwd: string): AssistantMessage["content"] {
  if (part.type === "text" && text(part.text)) return [{ type: "text", text: text(part.text) ?? "" }];
  if (part.type === "thinking")
    return [{ type: "thinking", thinking: text(part.thinking) ?? "", thinkingSignature: text(part.signature) }];
  const [id, name] = [text(part.id), text(part.name)];
  if (part.type !== "tool_use" || !id || !name) return [];
  const input = object(part.input);
  calls.set(id, { name, input, cwd });
  return [{ type: "toolCall", id, name, arguments: input }];
}

function fromUser(
  line: Json,
  byId: ReadonlyMap<string, Json>,
  calls: ReadonlyMap<string, ForeignCall>,
  next: Json | undefined,
): EntryDraft[] {
  const content = line.type === "attachment" ? object(line.attachment).prompt : object(line.message).content;
  const time = text(line.timestamp) ?? "";
  if (line.isCompactSummary === true)
    return [compaction(textOf(content), object(byId.get(text(line.parentUuid) ?? "")?.compactMetadata))];
  const results = list(content).flatMap((part): EntryDraft[] => {
    const id = text(part.tool_use_id);
    if (part.type !== "tool_result" || !id) return [];
    const result = { content: parts(part.content), isError: part.is_error === true };
    return [resultDraft({ toolCallId: id, toolName: calls.get(id)?.name ?? "unknown", ...result }, time)];
  });
  const said = parts(content).flatMap((part) => asTyped(part, textOf(object(next?.message).content)));
  return said.length > 0 ? [...results, userDraft(said, time)] : results;
}

/** A compaction; the kept part is named by its first line. */
function compaction(summary: string, about: Json): EntryDraft {
  const kept = text(object(about.preservedSegment).headUuid) ?? "";
  return { type: "compaction", summary, firstKeptEntryId: kept, tokensBefore: number(about.preTokens) };
}

/** A command as it was typed. Commands that only the program answered, and their answers, are dropped. */
function asTyped(part: Text | Image, next: string): (Text | Image)[] {
  if (part.type === "image") return [part];
  if (/^\s*<local-command-/.test(part.text)) return [];
  const [, name] = /<command-name>([^<]*)<\/command-name>/.exec(part.text) ?? [];
  if (name === undefined) return [part];
  const [, input = ""] = /<command-args>([\s\S]*?)<\/command-args>/.exec(part.text) ?? [];
  return /^\s*<local-command-/.test(next) ? [] : [{ type: "text", text: `${name} ${input}`.trim() }];
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

function titleOf(lines: readonly Json[]): string | undefined {
  const titles = lines.map(
    (line) =>
      ({ "custom-title": line.customTitle, "ai-title": line.aiTitle, summary: line.summary })[String(line.type)],
  );
  return titles.map(text).findLast((title) => title !== undefined);
}
