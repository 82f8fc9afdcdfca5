import type { Message, ToolCall } from "@pith/llm";
import { contentOf, messagesOf } from "./convert.ts";
import type { ContextEdit, Entry } from "./entry.ts";
import type { Journal } from "./journal.ts";

/**
 * What the model is shown of a session: the active path as messages. Kept up to date entry by entry, with the same
 * message objects from step to step, so that neither building nor encoding a request grows with what was said before.
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
    const fresh: Entry[] = [];
    for (let at = tree.leaf; at !== this.#leaf; ) {
      const entry = at === null ? undefined : tree.get(at);
      // Not a continuation of what we hold, or an entry rewrote it: build anew.
      if (!entry || rewrites.has(entry.type)) return this.#rebuild();
      fresh.push(entry);
      at = entry.parentId;
    }
    for (const entry of fresh.reverse()) this.#messages.push(...messagesOf(entry));
    this.#leaf = tree.leaf;
    return this.#messages;
  }

  /** How many at the beginning were answered in another context: behind another prompt, or before it was rewritten. */
  get stale(): number {
    return Math.min(this.#stale, this.messages.length);
  }

  #rebuild(): readonly Message[] {
    const path = this.#journal.tree.recent();
    this.#messages = shownEntries(path).flatMap(({ messages }) => messages);
    const begun = path.findLastIndex((entry) => rewrites.has(entry.type) || isPrompt(entry));
    // Without any, somebody else held this conversation, with a prompt of their own.
    const since = begun === -1 ? [] : path.slice(begun + 1).flatMap(messagesOf);
    this.#stale = this.#messages.length - since.length;
    this.#leaf = this.#journal.tree.leaf;
    return this.#messages;
  }
}

/** An entry and what the model is shown of it. */
export interface ShownEntry {
  entry: Entry;
  messages: readonly Message[];
}

/** What a model is shown of a path: after a compaction its summary, what it kept, what came later. */
export function shownEntries(entries: readonly Entry[]): ShownEntry[] {
  const path = entries.slice(entries.findLastIndex((entry) => typeOf(entry) === "reset_boundary") + 1);
  const edits = editsIn(path);
  const shown = (entry: Entry): ShownEntry => ({ entry, messages: edited(messagesOf(entry), edits.get(entry.id)) });
  const at = path.findLastIndex((entry) => entry.type === "compaction");
  const compaction = path[at];
  if (compaction?.type !== "compaction") return path.map(shown);
  const kept = path.findIndex((entry) => entry.id === compaction.firstKeptEntryId);
  // An earlier compaction among what is kept has been summed up by the later one.
  const before = kept === -1 || kept > at ? [] : path.slice(kept, at).filter((entry) => entry.type !== "compaction");
  return [
    { entry: compaction, messages: messagesOf(compaction) },
    ...before.map(shown),
    ...path.slice(at + 1).map(shown),
  ];
}

/** Calls of the last reply that have no result: what a crash or a kill left open. */
export function openCalls(messages: readonly Message[]): ToolCall[] {
  const at = messages.findLastIndex((message) => message.role === "assistant");
  const reply = messages[at];
  if (reply?.role !== "assistant") return [];
  const answered = new Set(
    messages.slice(at + 1).flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : [])),
  );
  return reply.content.filter((part): part is ToolCall => part.type === "toolCall" && !answered.has(part.id));
}

// Beside a compaction two entry types change what was said before: omp's boundary forgets it, an edit replaces one
// message.
const typeOf = (entry: Entry): string => entry.type;
const rewrites: ReadonlySet<string> = new Set(["compaction", "reset_boundary", "context_edit"]);

const isPrompt = (entry: Entry): boolean => entry.type === "custom" && entry.customType === "pith.prompt";

type Edit = ContextEdit["replacement"];

function editsIn(path: readonly Entry[]): Map<string, Edit> {
  const edits = new Map<string, Edit>();
  for (const entry of path) {
    if (entry.type !== "context_edit") continue;
    // Of whomever's file.
    const { targetId, replacement }: Partial<ContextEdit> = entry;
    if (targetId !== undefined && isEdit(replacement)) edits.set(targetId, replacement);
  }
  return edits;
}

/** One without a shape is none: what was said stays. */
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
