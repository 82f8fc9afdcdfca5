import type { Entry, EntryDraft, SessionTree } from "@pith/agent";

/** A place in the conversation to come back to with a report. */
export interface Checkpoint {
  goal: string;
  /** ISO time. */
  startedAt: string;
}

/** Where the checkpoint of a conversation is kept; there is one at a time. */
export interface Checkpoints {
  active(): Checkpoint | undefined;
  open(checkpoint: Checkpoint): void;
  /** Asks for the way back; it is gone before the model is asked next. */
  leave(report: string): void;
  /** Goes back if it was asked for: what came after the checkpoint gives way to the report. */
  goBack(): void;
}

const type = "pith.checkpoint";
type State = ({ state: "open" } & Checkpoint) | { state: "leaving"; at: string; report: string } | { state: "closed" };

/** A record may come from a stranger. */
function isState(kept: unknown): kept is State {
  const data = kept as Partial<Record<"state" | "goal" | "startedAt" | "at" | "report", unknown>> | null | undefined;
  if (data?.state === "open") return typeof data.goal === "string" && typeof data.startedAt === "string";
  if (data?.state === "leaving") return typeof data.at === "string" && typeof data.report === "string";
  return data?.state === "closed";
}

/**
 * The state is the newest entry of its kind on the way to the leaf, so a resume finds it, and a move in the tree takes
 * it along.
 */
export function sessionCheckpoints(tree: SessionTree, record: (draft: EntryDraft) => Entry): Checkpoints {
  const last = () => {
    const entry = tree.lastCustom(type);
    return entry && isState(entry.data)
      ? { id: entry.id, place: entry.repeats ?? entry.id, data: entry.data }
      : undefined;
  };
  const note = (data: State) => record({ type: "custom", customType: type, data });
  return {
    active: () => {
      const data = last()?.data;
      return data?.state === "open" ? { goal: data.goal, startedAt: data.startedAt } : undefined;
    },
    open: (checkpoint) => note({ state: "open", ...checkpoint }),
    leave: (report) => {
      const open = last();
      if (open?.data.state === "open") note({ state: "leaving", at: open.place, report });
    },
    goBack: () => {
      const leaving = last();
      if (leaving?.data.state !== "leaving") return;
      const left = behind(tree, leaving.data.at);
      if (!left) return;
      const fromId = tree.leaf ?? "root";
      // What a person said is not part of what is left behind: the report answers what came before it.
      const decided = left.findIndex((entry) => entry.id === leaving.id);
      const again = ({ id: _, parentId: __, timestamp: ___, ...draft }: Said) => record(draft);
      tree.moveTo(answered(left) ?? leaving.data.at);
      left.slice(0, decided).filter(isSaid).forEach(again);
      // What goes on outside of the conversation has not gone back with it.
      for (const name of outside) {
        const newest = left.findLast((entry) => entry.type === "custom" && entry.customType === name);
        if (newest?.type === "custom") record({ type: "custom", customType: name, data: newest.data });
      }
      record({
        type: "branch_summary",
        fromId,
        summary: leaving.data.report,
        details: { checkpoint: leaving.data.at },
      });
      note({ state: "closed" });
      left.slice(decided).filter(isSaid).forEach(again);
    },
  };
}

type Said = Extract<Entry, { type: "message" }>;
/** Jobs run on, and what a server refuses it refuses again. */
const outside = ["pith.jobs", "pith.heal"];

/** What stands on the path behind an entry, oldest first; undefined where that is not on it. */
function behind(tree: SessionTree, id: string): Entry[] | undefined {
  const left: Entry[] = [];
  for (const entry of tree.back()) {
    if (entry.id === id) return left.reverse();
    left.push(entry);
  }
  return undefined;
}

const isSaid = (entry: Entry): entry is Said => entry.type === "message" && entry.message.role === "user";

/** The last result of the batch in which the checkpoint was made: before it, a call would stay without its answer. */
function answered(after: readonly Entry[]): string | undefined {
  let last: string | undefined;
  for (const entry of after) {
    if (entry.type === "custom") continue;
    if (entry.type !== "message" || entry.message.role !== "toolResult") break;
    last = entry.id;
  }
  return last;
}
