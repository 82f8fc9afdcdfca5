import type { Tree } from "@pith/agent";
import { type Categories, categoriesOf } from "./category.ts";
import { count, nothing, type Total } from "./total.ts";

/** What one session has used on the way to its leaf. */
export interface SessionUsage {
  total: Total;
  /** By `vendor/id`. */
  models: Readonly<Record<string, Total>>;
  /** What the next request would be made of, in tokens. */
  context: Categories;
}

export function sessionUsage(tree: Tree): SessionUsage {
  const total = nothing();
  const models: Record<string, Total> = {};
  for (const entry of tree.back()) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const name = `${entry.message.provider}/${entry.message.model}`;
    models[name] ??= nothing();
    count(models[name], entry.message);
    count(total, entry.message);
  }
  const prompt = tree.last("pith.prompt");
  return { total, models, context: categoriesOf([...(prompt ? [prompt] : []), ...tree.recent().filter((entry) => entry.id !== prompt?.id)]) };
}
