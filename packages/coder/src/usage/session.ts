import type { Entry, Tree } from "@pith/agent";
import type { AssistantMessage } from "@pith/llm";
import { type Categories, categoriesOf } from "./category.ts";
import { type Billed, count, nothing, type Total } from "./total.ts";

/** What one session has used on the way to its leaf. */
export interface SessionUsage {
  total: Total;
  /** By `vendor/id`. */
  models: Readonly<Record<string, Total>>;
  /** What the next request would be made of, in tokens. */
  context: Categories;
}

function billedIn(entry: Entry): (Billed & Pick<AssistantMessage, "provider" | "model">) | undefined {
  if (entry.type === "message") return entry.message.role === "assistant" ? entry.message : undefined;
  return entry.type === "custom" && entry.customType === "pith.spent"
    ? { ...(entry.data as AssistantMessage), lost: true }
    : undefined;
}

export function sessionUsage(tree: Tree): SessionUsage {
  const total = nothing();
  const models: Record<string, Total> = {};
  for (const entry of tree.back()) {
    const billed = billedIn(entry);
    if (!billed) continue;
    const name = `${billed.provider}/${billed.model}`;
    models[name] ??= nothing();
    count(models[name], billed);
    count(total, billed);
  }
  const prompt = tree.lastCustom("pith.prompt");
  return {
    total,
    models,
    context: categoriesOf([...(prompt ? [prompt] : []), ...tree.recent().filter((entry) => entry.id !== prompt?.id)]),
  };
}
