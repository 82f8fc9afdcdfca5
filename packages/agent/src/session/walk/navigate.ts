import type { NavigateAnswer } from "../../compact/cause.ts";
import { messagesOf } from "../convert.ts";
import type { Entry } from "../entry.ts";
import type { Journal } from "../journal.ts";
import { textOf } from "../text.ts";
import type { SessionTree } from "../tree.ts";

export type NavigateResult =
  /** `text` is what a person said at the chosen place, to be said again or otherwise. */
  | { done: "moved"; text?: string | undefined; summary?: Entry | undefined }
  | { done: "stayed" }
  | { done: "cancelled" };

/** Makes a summary of what is left behind; undefined when it was given up. */
export type SummarizeBranch = (left: readonly Entry[]) => Promise<{ summary: string; details?: unknown } | undefined>;

/** What may be known before it goes to another place. */
export interface NavigateRequest {
  from: string | null;
  to: string | null;
  left: readonly Entry[];
}

/**
 * Goes to another place of the tree. At something a person said, the place is before it. What is left behind may be
 * summed up first, where anything was said in it; nothing moves before the summary is there.
 */
export async function navigate(
  journal: Pick<Journal, "tree" | "append">,
  id: string,
  summarise?: SummarizeBranch,
  /** Who may keep it from going, or has a summary of their own. */
  ask: (leaving: NavigateRequest) => Promise<NavigateAnswer> = async () => ({ do: "go" }),
): Promise<NavigateResult> {
  const { tree } = journal;
  if (id === tree.leaf) return { done: "stayed" };
  const chosen = tree.get(id);
  if (!chosen) return { done: "cancelled" };
  const said = saidBy(chosen);
  const target = said === undefined ? id : chosen.parentId;
  const from = tree.leaf;
  // Both ways are read for it: only where somebody wants to know.
  let known: readonly Entry[] | undefined;
  const leaving = {
    from,
    to: target,
    get left() {
      known ??= leftBehind(tree, target);
      return known;
    },
  };
  const answer = await ask(leaving);
  if (answer.do === "cancel") return { done: "cancelled" };
  const wanted = summarise && leaving.left.some((entry) => messagesOf(entry).length > 0);
  const made = wanted ? await (answer.do === "summary" ? given(answer) : summarise(leaving.left)) : undefined;
  // Somebody may have gone elsewhere while it was summed up.
  if ((wanted && made === undefined) || tree.leaf !== from) return { done: "cancelled" };
  tree.moveTo(target);
  const summary = made && journal.append({ type: "branch_summary", fromId: from ?? "root", ...made });
  return { done: "moved", text: said, summary };
}

const given = ({ summary, details }: Extract<NavigateAnswer, { do: "summary" }>) => ({
  summary,
  ...(details === undefined ? {} : { details }),
  fromExtension: true,
});

/** Entries from the leaf up to where the way to `target` turns off, oldest first. */
export function leftBehind(tree: SessionTree, target: string | null): Entry[] {
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
