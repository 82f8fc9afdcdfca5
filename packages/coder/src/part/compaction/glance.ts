import { type Entry, type SessionTree, textOf } from "@pith/agent";
import { type Model, modelName } from "@pith/llm";

/** What stands before a conversation that nobody has answered yet: its prompt and its tools, about. */
const unanswered = 12_000;
/** Entries without an answer between them that are worth a glance; more are counted. */
const most = 16;

/**
 * A length that the next request surely does not have: what the model told of the last one, and every letter since as a
 * token. Undefined where that cannot be said without counting.
 */
export function glance(tree: Pick<SessionTree, "back">, model: Model): number | undefined {
  let letters = 0;
  let seen = 0;
  for (const entry of tree.back()) {
    if (++seen > most || entry.type === "compaction" || entry.type === "context_edit") return undefined;
    if (entry.type === "message" && entry.message.role === "assistant") {
      const { usage, provider, model: id } = entry.message;
      if (usage?.totalTokens > 0)
        return modelName({ vendor: provider, id }) === modelName(model) ? usage.totalTokens + letters : undefined;
    }
    letters += lettersOf(entry);
  }
  return unanswered + letters;
}

function lettersOf(entry: Entry): number {
  if (entry.type === "custom_message") return textOf(entry.content).length;
  if (entry.type === "branch_summary") return entry.summary.length;
  if (entry.type !== "message") return 0;
  const { content } = entry.message;
  if (typeof content === "string") return content.length;
  // What a relative's message holds is not looked into.
  if (!Array.isArray(content)) return unanswered;
  return content.reduce((sum, part) => {
    if (part.type === "text") return sum + part.text.length;
    if (part.type === "image") return sum + part.data.length;
    return sum + (part.type === "toolCall" ? JSON.stringify(part.arguments).length : part.thinking.length);
  }, 0);
}
