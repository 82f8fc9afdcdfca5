import { type Entry, type SessionTree, textOf } from "@pith/agent";
import { sumOf } from "@pith/kit";
import { type Model, modelName } from "@pith/llm";

/** A guess at the tokens of the prompt and the tools, where the model has not answered yet. */
const promptTokens = 12_000;
/** Entries to look at; with more, tokens are counted. */
const most = 16;

/**
 * An upper bound for the tokens of the next request: what the model reported of the last one, and a token for every
 * letter since. Undefined where there is no bound without counting.
 */
export function upperBound(tree: Pick<SessionTree, "back">, model: Model): number | undefined {
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
  return promptTokens + letters;
}

function lettersOf(entry: Entry): number {
  if (entry.type === "custom_message") return textOf(entry.content).length;
  if (entry.type === "branch_summary") return entry.summary.length;
  if (entry.type !== "message") return 0;
  const { content } = entry.message;
  if (typeof content === "string") return content.length;
  // A message of another product may hold anything.
  if (!Array.isArray(content)) return promptTokens;
  return sumOf<(typeof content)[number]>(content, (part) => {
    if (part.type === "text") return part.text.length;
    if (part.type === "image") return part.data.length;
    return part.type === "toolCall" ? JSON.stringify(part.arguments).length : part.thinking.length;
  });
}
