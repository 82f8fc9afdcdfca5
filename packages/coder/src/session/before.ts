import type { EntryDraft, Journal, SessionTree } from "@pith/agent";

const mostBefore = 100;

/** Returns the sessions that this one goes on from by handoffs. Undo takes back their changes, too. */
export function sessionsBefore(tree: SessionTree): string[] {
  const { sessions } = (tree.lastCustom("pith.before")?.data ?? {}) as { sessions?: unknown };
  return Array.isArray(sessions) ? sessions.filter((id) => typeof id === "string").slice(-mostBefore) : [];
}

export const beforeDraft = ({ tree, header }: Journal): EntryDraft => ({
  type: "custom",
  customType: "pith.before",
  data: { sessions: [...sessionsBefore(tree), header.id].slice(-mostBefore) },
});
