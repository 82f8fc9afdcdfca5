import { type AssistantMessage, type Image, noUsage, type Text } from "@pith/llm";
import { parseObject } from "../index/head.ts";
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

/** Reads a session file of the Codex CLI: items of its protocol, one per line, some written twice for display. */
export function readCodex(lines: readonly Json[]): ForeignSession | undefined {
  const meta = lines.find((line) => line.type === "session_meta");
  // Old files begin with a bare header.
  const head = meta ? object(meta.payload) : object(lines[0]);
  const id = text(head.id);
  if (!id) return undefined;
  const cwd = text(head.cwd) ?? text(object(lines.find((line) => line.type === "turn_context")?.payload).cwd) ?? "/";
  const writer = new Writer(text(head.model_provider) ?? "openai", cwd);
  for (const line of lines) {
    const timestamp = text(line.timestamp) ?? text(head.timestamp) ?? "";
    const payload = object(line.payload);
    const kind = line.type === "event_msg" ? text(payload.type) : text(line.type);
    if (kind !== undefined && Object.hasOwn(kinds, kind)) kinds[kind]?.(writer, payload, timestamp);
    else if (!meta && line !== lines[0]) writer.take(line, timestamp);
  }
  writer.flush();
  return {
    id,
    cwd,
    timestamp: text(head.timestamp) ?? text(lines[0]?.timestamp) ?? new Date(0).toISOString(),
    drafts: writer.drafts,
  };
}

const kinds: Readonly<Record<string, (writer: Writer, payload: Json, timestamp: string) => void>> = {
  response_item: (writer, payload, timestamp) => writer.take(payload, timestamp),
  compacted: (writer, payload, timestamp) => writer.compact(payload, timestamp),
  token_usage_record: (writer, payload) => writer.use(object(payload.usage)),
  token_count: (writer, payload) => writer.use(object(object(payload.info).last_token_usage)),
  thread_rolled_back: (writer, payload) => writer.takeBack(number(payload.num_turns)),
  turn_context: (writer, payload) => {
    writer.model = text(payload.model) ?? writer.model;
  },
};

/** Collects the pieces of a reply until somebody else speaks. */
class Writer {
  readonly drafts: TimedDraft[] = [];
  model = "unknown";
  readonly #vendor: string;
  readonly #cwd: string;
  readonly #calls = new Map<string, ForeignCall>();
  #content: AssistantMessage["content"] = [];
  #timestamp = "";
  /** Origin of what the server looked up for the reply. */
  #mark: TimedDraft["mark"];

  constructor(vendor: string, cwd: string) {
    this.#vendor = vendor;
    this.#cwd = cwd;
  }

  take(item: Json, timestamp: string): void {
    const piece = replyPiece(item);
    if (piece) {
      this.#timestamp ||= timestamp;
      this.#content.push(...piece);
      for (const part of piece)
        if (part.type === "toolCall")
          this.#calls.set(part.id, { name: part.name, input: part.arguments, cwd: this.#cwd });
      return;
    }
    if (item.type === "web_search_call") {
      this.#mark = { from: "web", what: text(object(item.action).query) ?? "a search" };
      return;
    }
    const call = text(item.call_id);
    if (typeof item.type === "string" && item.type.endsWith("_output") && call) {
      this.#result(call, item.output, timestamp);
      return;
    }
    const said =
      item.type === "message" && item.role === "user"
        ? parts(item.content).filter((part) => part.type !== "text" || !isAdded(part.text))
        : [];
    if (said.length === 0) return;
    this.flush();
    this.drafts.push({ draft: userDraft(said, timestamp), timestamp });
  }

  /** Adds a compaction: the user's words so far and a summary of the rest. */
  compact({ message, replacement_history: kept }: Json, timestamp: string): void {
    this.flush();
    const summary = text(message) ?? "";
    // The answer that became the summary is not part of the conversation.
    const last = this.drafts.at(-1)?.draft;
    if (
      last?.type === "message" &&
      last.message.role === "assistant" &&
      summary.endsWith(textOf(last.message.content) || "\n")
    )
      this.drafts.pop();
    const said = list(kept).flatMap((item) =>
      item.type === "message" && item.role === "user" ? parts(item.content) : [],
    );
    const typed = said.flatMap((part) =>
      part.type === "text" && part.text !== summary && !isAdded(part.text)
        ? [`> ${part.text.replaceAll("\n", "\n> ")}`]
        : [],
    );
    const whole = [...typed, summary].join("\n\n");
    const draft = { type: "compaction", summary: whole, firstKeptEntryId: "", tokensBefore: 0 } as const;
    const mark = { from: "outside", what: "a summary of what was not imported" } as const;
    this.drafts.push({ draft, timestamp, ...(this.drafts.length === 0 && { mark }) });
  }

  /** Sets the usage of the last reply; newer programs report it twice. */
  use(usage: Json): void {
    this.flush();
    const last = this.drafts.findLast(
      ({ draft }) => draft.type === "message" && draft.message.role === "assistant",
    )?.draft;
    if (last?.type !== "message" || last.message.role !== "assistant" || last.message.usage.totalTokens > 0) return;
    const [all, output] = [number(usage.input_tokens), number(usage.output_tokens)];
    const cacheRead = number(usage.cached_input_tokens);
    last.message.usage = { ...noUsage(), input: all - cacheRead, output, cacheRead, totalTokens: all + output };
  }

  /** Removes the last turns, which the user took back. */
  takeBack(turns: number): void {
    this.flush();
    for (let left = turns; left > 0; left--) {
      const at = this.drafts.findLastIndex(({ draft }) => draft.type === "message" && draft.message.role === "user");
      if (at === -1) return;
      this.drafts.length = at;
    }
  }

  flush(): void {
    const timestamp = this.#timestamp;
    const origin = { api: "openai-responses", provider: this.#vendor, model: this.model };
    if (this.#content.length > 0) {
      const draft = replyDraft({ content: this.#content, ...origin }, timestamp);
      this.drafts.push({ draft, timestamp, mark: this.#mark });
      this.#mark = undefined;
    }
    this.#content = [];
    this.#timestamp = "";
  }

  #result(id: string, output: unknown, timestamp: string): void {
    this.flush();
    const call = this.#calls.get(id);
    const result = { toolCallId: id, toolName: call?.name ?? "unknown", ...outcome(output) };
    const mark = foreignOrigin(call ?? { name: "an unknown tool", input: {} });
    this.drafts.push({ draft: resultDraft(result, timestamp), timestamp, mark });
  }
}

function replyPiece(item: Json): AssistantMessage["content"] | undefined {
  if (item.type === "message" && item.role === "assistant")
    return parts(item.content).filter((part) => part.type === "text");
  if (item.type === "reasoning") {
    const thought = [...list(item.summary), ...list(item.content)].flatMap((part) => text(part.text) ?? []).join("\n");
    return thought ? [{ type: "thinking", thinking: thought }] : [];
  }
  const id = text(item.call_id) ?? text(item.id);
  if (!id) return undefined;
  if (item.type === "function_call")
    return [{ type: "toolCall", id, name: text(item.name) ?? "unknown", arguments: argumentsOf(item.arguments) }];
  if (item.type === "custom_tool_call")
    return [{ type: "toolCall", id, name: text(item.name) ?? "unknown", arguments: { input: item.input } }];
  if (item.type === "local_shell_call")
    return [{ type: "toolCall", id, name: "shell", arguments: object(item.action) }];
  return undefined;
}

const argumentsOf = (value: unknown): Json =>
  typeof value === "string" ? (parseObject(value) ?? { input: value }) : object(value);

/** Reads an output: text, JSON in a text, or parts. */
function outcome(output: unknown): { content: (Text | Image)[]; isError: boolean } {
  if (Array.isArray(output)) return { content: parts(output), isError: false };
  const wrapped = typeof output === "string" ? parseObject(output) : object(output);
  const inner =
    text(wrapped?.output) ??
    text(wrapped?.content) ??
    (typeof output === "string" ? output : JSON.stringify(output ?? ""));
  const code =
    object(wrapped?.metadata).exit_code ??
    /^(?:Process exited with|Exit) code:? (\d+)$/m.exec(inner.slice(0, 500))?.[1];
  const isError = wrapped?.success === false || (code !== undefined && Number(code) !== 0);
  return { content: [{ type: "text", text: inner }], isError };
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

/** True for text that the program itself added to the input. */
const isAdded = (said: string) => added.test(said);
const added =
  /^\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted|skill|subagent)|# AGENTS\.md instructions)/;
