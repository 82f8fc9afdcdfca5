import { messagesOf } from "../convert.ts";
import type { Entry } from "../entry.ts";
import type { Journal } from "../journal.ts";
import { textOf } from "../text.ts";
import type { Tree } from "../tree.ts";

export type Navigated =
  /** `text` is what a person said at the chosen place, to be said again or otherwise. */
  | { done: "moved"; text?: string | undefined; summary?: Entry | undefined }
  | { done: "stayed" }
  | { done: "cancelled" };

/** Makes a summary of what is left behind; undefined when it was given up. */
export type Summarise = (left: readonly Entry[]) => Promise<{ summary: string; details?: unknown } | undefined>;

/**
 * Goes to another place of the tree. At something a person said, the place is before it. What is left behind may be
 * summed up first, where anything was said in it; nothing moves before the summary is there.
 */
export async function navigate(
  journal: Pick<Journal, "tree" | "append">,
  id: string,
  summarise?: Summarise,
): Promise<Navigated> {
  const { tree } = journal;
  if (id === tree.leaf) return { done: "stayed" };
  const chosen = tree.get(id);
  if (!chosen) return { done: "cancelled" };
  const said = saidBy(chosen);
  const target = said === undefined ? id : chosen.parentId;
  const fromId = tree.leaf ?? "root";
  const left = summarise ? leftBehind(tree, target) : [];
  const tells = left.some((entry) => messagesOf(entry).length > 0);
  const made = summarise && tells ? await summarise(left) : undefined;
  if (summarise && tells && made === undefined) return { done: "cancelled" };
  tree.moveTo(target);
  const summary = made ? journal.append({ type: "branch_summary", fromId, ...made }) : undefined;
  return { done: "moved", text: said, summary };
}

/** Entries from the leaf up to where the way to `target` turns off, oldest first. */
export function leftBehind(tree: Tree, target: string | null): Entry[] {
  const stays = new Set<string>();
  for (const entry of tree.back(target)) stays.add(entry.id);
  const left: Entry[] = [];
  for (const entry of tree.back()) {
    if (stays.has(entry.id)) break;
    left.push(entry);
  }
  return left.reverse();
}

function saidBy(entry: Entry): string | undefined {
  if (entry.type === "custom_message") return textOf(entry.content);
  return entry.type === "message" && entry.message.role === "user" ? textOf(entry.message.content) : undefined;
}
