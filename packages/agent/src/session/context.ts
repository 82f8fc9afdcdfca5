import type { Message, ToolCall } from "@pith/llm";
import { contentOf, messagesOf } from "./convert.ts";
import type { ContextEdit, Entry } from "./entry.ts";
import type { Journal } from "./journal.ts";
import leftOutProse from "./left-out.md" with { type: "text" };

/**
 * Messages of a session that the model is shown. Updated entry by entry, with the same message objects from step to
 * step, so that requests do not get slower as the session grows.
 */
export class Context {
  readonly #journal: Pick<Journal, "tree">;
  #messages: Message[] = [];
  #leaf: string | null = null;
  #stale = 0;

  constructor(journal: Pick<Journal, "tree">) {
    this.#journal = journal;
  }

  get messages(): readonly Message[] {
    const { tree } = this.#journal;
    if (tree.leaf === this.#leaf) return this.#messages;
    if (this.#leaf === null && tree.isLong) return this.#rebuild();
    const fresh: Entry[] = [];
    for (let at = tree.leaf; at !== this.#leaf; ) {
      const entry = at === null ? undefined : tree.get(at);
      // Not a continuation, or an entry changed earlier messages: rebuild.
      if (!entry || rewrites.has(entry.type)) return this.#rebuild();
      fresh.push(entry);
      at = entry.parentId;
    }
    for (const entry of fresh.reverse()) this.#messages.push(...messagesOf(entry));
    this.#leaf = tree.leaf;
    return this.#messages;
  }

  /** Number of first messages that were answered in another context: with another prompt, or before a rewrite. */
  get stale(): number {
    return Math.min(this.#stale, this.messages.length);
  }

  #rebuild(): readonly Message[] {
    const { tree } = this.#journal;
    const path = tree.recent();
    const left = tree.isLong ? [{ role: "user", content: leftOutProse.trim(), timestamp: 0 } as const] : [];
    this.#messages = [...left, ...shownEntries(path).flatMap(({ messages }) => messages)];
    const begun = path.findLastIndex((entry) => rewrites.has(entry.type) || isPrompt(entry));
    // Without any, another program held this conversation, with its own prompt.
    const since = begun === -1 ? [] : path.slice(begun + 1).flatMap(messagesOf);
    this.#stale = this.#messages.length - since.length;
    this.#leaf = tree.leaf;
    return this.#messages;
  }
}

/** An entry and its messages for the model. */
export interface ShownEntry {
  entry: Entry;
  messages: readonly Message[];
}

/** Entries of a path with their messages: after a compaction its summary, what it kept, and what followed. */
export function shownEntries(entries: readonly Entry[]): ShownEntry[] {
  const path = entries.slice(entries.findLastIndex((entry) => typeOf(entry) === "reset_boundary") + 1);
  const edits = editsIn(path);
  const shown = (entry: Entry): ShownEntry => ({ entry, messages: edited(messagesOf(entry), edits.get(entry.id)) });
  const at = path.findLastIndex((entry) => entry.type === "compaction");
  const compaction = path[at];
  if (compaction?.type !== "compaction") return path.map(shown);
  const kept = path.findIndex((entry) => entry.id === compaction.firstKeptEntryId);
  // An earlier compaction was summed up by the later one.
  const before = kept === -1 || kept > at ? [] : path.slice(kept, at).filter((entry) => entry.type !== "compaction");
  return [
    { entry: compaction, messages: messagesOf(compaction) },
    ...before.map(shown),
    ...path.slice(at + 1).map(shown),
  ];
}

/** Calls of the last reply without a result, left open by a crash. */
export function openCalls(messages: readonly Message[]): ToolCall[] {
  const at = messages.findLastIndex((message) => message.role === "assistant");
  const reply = messages[at];
  if (reply?.role !== "assistant") return [];
  const answered = new Set(
    messages.slice(at + 1).flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : [])),
  );
  return reply.content.filter((part): part is ToolCall => part.type === "toolCall" && !answered.has(part.id));
}

// Beside compactions two types of entries change earlier messages: omp's boundary drops them, an edit replaces one.
const typeOf = (entry: Entry): string => entry.type;
const rewrites: ReadonlySet<string> = new Set(["compaction", "reset_boundary", "context_edit"]);

const isPrompt = (entry: Entry): boolean => entry.type === "custom" && entry.customType === "pith.prompt";

type Edit = ContextEdit["replacement"];

function editsIn(path: readonly Entry[]): Map<string, Edit> {
  const edits = new Map<string, Edit>();
  for (const entry of path) {
    if (entry.type !== "context_edit") continue;
    // Untrusted file.
    const { targetId, replacement }: Partial<ContextEdit> = entry;
    if (targetId !== undefined && isEdit(replacement)) edits.set(targetId, replacement);
  }
  return edits;
}

/** False for a malformed edit: the message stays. */
const isEdit = (replacement: unknown): replacement is Edit =>
  replacement === null ||
  (typeof replacement === "object" &&
    "content" in replacement &&
    (typeof replacement.content === "string" || Array.isArray(replacement.content)));

function edited(messages: Message[], edit: Edit | undefined): Message[] {
  if (edit === undefined) return messages;
  if (edit === null) return [];
  return messages.map((message) => {
    const said = contentOf(edit.content);
    const content = message.role === "user" || Array.isArray(said) ? said : [{ type: "text", text: said }];
    return { ...message, content } as Message;
  });
}
