import type { Entry, EntryDraft, SessionTree } from "@pith/agent";
import { recordOf } from "@pith/kit";

/** A place in the conversation to rewind to. */
export interface Checkpoint {
  goal: string;
  /** ISO time. */
  startedAt: string;
}

/** The checkpoint of a conversation; there is at most one. */
export interface Checkpoints {
  active(): Checkpoint | undefined;
  open(checkpoint: Checkpoint): void;
  /** Asks to rewind before the next request. */
  leave(report: string): void;
  /** Rewinds if that was asked for: the report replaces all that came after the checkpoint. */
  goBack(): void;
}

const type = "pith.checkpoint";
type State = ({ state: "open" } & Checkpoint) | { state: "leaving"; at: string; report: string } | { state: "closed" };

function isState(value: unknown): value is State {
  const { state, goal, startedAt, at, report } = recordOf(value);
  if (state === "open") return typeof goal === "string" && typeof startedAt === "string";
  if (state === "leaving") return typeof at === "string" && typeof report === "string";
  return state === "closed";
}

/** Keeps the state in the newest `pith.checkpoint` entry of the path, so that a resume and a move in the tree find it. */
export function sessionCheckpoints(tree: SessionTree, record: (draft: EntryDraft) => Entry): Checkpoints {
  const last = () => {
    const entry = tree.lastCustom(type);
    if (!entry || !isState(entry.data)) return undefined;
    return { id: entry.id, place: entry.repeats ?? entry.id, data: entry.data };
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
      // Input of a person is not left behind: it is recorded again, before or after the report as it was.
      const decided = left.findIndex((entry) => entry.id === leaving.id);
      const again = ({ id: _, parentId: __, timestamp: ___, ...draft }: Said) => record(draft);
      tree.moveTo(answered(left) ?? leaving.data.at);
      left.slice(0, decided).filter(isSaid).forEach(again);
      // State of things outside of the conversation stays as it is now.
      for (const name of outside) {
        const newest = left.findLast((entry) => entry.type === "custom" && entry.customType === name);
        if (newest?.type === "custom") record({ type: "custom", customType: name, data: newest.data });
      }
      const details = { checkpoint: leaving.data.at };
      record({ type: "branch_summary", fromId, summary: leaving.data.report, details });
      note({ state: "closed" });
      left.slice(decided).filter(isSaid).forEach(again);
    },
  };
}

type Said = Extract<Entry, { type: "message" }>;
/** Entries of state that does not go back with the conversation. */
const outside = ["pith.jobs", "pith.heal"];

/** The entries of the path behind an entry, oldest first; undefined if the entry is not on the path. */
function behind(tree: SessionTree, id: string): Entry[] | undefined {
  const left: Entry[] = [];
  for (const entry of tree.back()) {
    if (entry.id === id) return left.reverse();
    left.push(entry);
  }
  return undefined;
}

const isSaid = (entry: Entry): entry is Said => entry.type === "message" && entry.message.role === "user";

/** The last result of the batch that made the checkpoint; without it, calls of the batch would have no result. */
function answered(after: readonly Entry[]): string | undefined {
  let last: string | undefined;
  for (const entry of after) {
    if (entry.type === "custom") continue;
    if (entry.type !== "message" || entry.message.role !== "toolResult") break;
    last = entry.id;
  }
  return last;
}
