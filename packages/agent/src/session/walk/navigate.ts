import type { NavigateAnswer } from "../../compact/cause.ts";
import { messagesOf } from "../convert.ts";
import type { Entry } from "../entry.ts";
import type { Journal } from "../journal.ts";
import { textOf } from "../text.ts";
import type { SessionTree } from "../tree.ts";

export type NavigateResult =
  /** `text` is the user's prompt at the chosen place, to be edited and sent again. */
  | { done: "moved"; text?: string | undefined; summary?: Entry | undefined }
  | { done: "stayed" }
  | { done: "cancelled" };

/** Summarizes the branch left behind; undefined when given up. */
export type SummarizeBranch = (left: readonly Entry[]) => Promise<{ summary: string; details?: unknown } | undefined>;

/** Facts about a move. */
export interface NavigateRequest {
  from: string | null;
  to: string | null;
  left: readonly Entry[];
}

/**
 * Moves to another place of the tree; for a prompt, to the place before it. The branch left behind may be summed up
 * first, if it has messages; nothing moves before the summary is there.
 */
export async function navigate(
  journal: Pick<Journal, "tree" | "append">,
  id: string,
  summarise?: SummarizeBranch,
  /** May cancel the move, or bring a summary. */
  ask: (leaving: NavigateRequest) => Promise<NavigateAnswer> = async () => ({ do: "go" }),
): Promise<NavigateResult> {
  const { tree } = journal;
  if (id === tree.leaf) return { done: "stayed" };
  const chosen = tree.get(id);
  if (!chosen) return { done: "cancelled" };
  const said = saidBy(chosen);
  const target = said === undefined ? id : chosen.parentId;
  const from = tree.leaf;
  // Reads both paths, so only on demand.
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
  const given = answer.do === "summary" && { summary: answer.summary, details: answer.details, fromExtension: true };
  const wanted = summarise && leaving.left.some((entry) => messagesOf(entry).length > 0);
  const made = wanted ? await (given || summarise(leaving.left)) : undefined;
  // The leaf may have moved during the summary.
  if ((wanted && made === undefined) || tree.leaf !== from) return { done: "cancelled" };
  tree.moveTo(target);
  const summary = made && journal.append({ type: "branch_summary", fromId: from ?? "root", ...made });
  return { done: "moved", text: said, summary };
}

/** Entries from the leaf up to the path to `target`, oldest first. */
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
