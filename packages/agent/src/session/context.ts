import { fill } from "@pith/kit";
import type { Message, ToolCall, UserMessage } from "@pith/llm";
import branchProse from "./branch.md" with { type: "text" };
import compactProse from "./compaction.md" with { type: "text" };
import type { Entry } from "./entry.ts";
import type { Journal } from "./journal.ts";

/**
 * What the model is shown of a session: the active path as messages. Kept up to date entry by entry, with the same
 * message objects from step to step, so that neither building nor encoding a request grows with what was said before.
 */
export class Context {
  readonly #journal: Journal;
  #messages: Message[] = [];
  #leaf: string | null = null;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get messages(): readonly Message[] {
    const { tree } = this.#journal;
    if (tree.leaf === this.#leaf) return this.#messages;
    const fresh: Entry[] = [];
    for (let at = tree.leaf; at !== this.#leaf; ) {
      const entry = at === null ? undefined : tree.get(at);
      // Not a continuation of what we hold, or a compaction rewrote it: build anew.
      if (!entry || entry.type === "compaction") return this.#rebuild();
      fresh.push(entry);
      at = entry.parentId;
    }
    for (const entry of fresh.reverse()) this.#messages.push(...messagesOf(entry));
    this.#leaf = tree.leaf;
    return this.#messages;
  }

  #rebuild(): readonly Message[] {
    this.#messages = buildContext(this.#journal.tree.recent());
    this.#leaf = this.#journal.tree.leaf;
    return this.#messages;
  }
}

/** Messages of a path. After a compaction: its summary, what it kept, what came later. */
export function buildContext(path: readonly Entry[]): Message[] {
  const at = path.findLastIndex((entry) => entry.type === "compaction");
  const compaction = path[at];
  if (compaction?.type !== "compaction") return path.flatMap(messagesOf);
  const kept = path.findIndex((entry) => entry.id === compaction.firstKeptEntryId);
  const before = kept === -1 || kept > at ? [] : path.slice(kept, at);
  return [...messagesOf(compaction), ...before.flatMap(messagesOf), ...path.slice(at + 1).flatMap(messagesOf)];
}

/** Calls of the last reply that have no result: what a crash or a kill left open. */
export function openCalls(messages: readonly Message[]): ToolCall[] {
  const at = messages.findLastIndex((message) => message.role === "assistant");
  const reply = messages[at];
  if (reply?.role !== "assistant") return [];
  const answered = new Set(messages.slice(at + 1).flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : [])));
  return reply.content.filter((part): part is ToolCall => part.type === "toolCall" && !answered.has(part.id));
}

function messagesOf(entry: Entry): Message[] {
  switch (entry.type) {
    case "message":
      return isModelMessage(entry.message) ? [entry.message] : [];
    case "custom_message":
      return [user(entry, entry.content)];
    case "branch_summary":
      return [user(entry, fill(branchProse, { summary: entry.summary }))];
    case "compaction":
      return [user(entry, fill(compactProse, { summary: entry.summary }))];
    default:
      return [];
  }
}

// Other agents keep further roles in `message` entries (their system prompt, shell commands of the user).
const isModelMessage = (message: { role: string }) => message.role === "user" || message.role === "assistant" || message.role === "toolResult";

const user = (entry: Entry, content: UserMessage["content"]): UserMessage => ({ role: "user", content, timestamp: Date.parse(entry.timestamp) });
