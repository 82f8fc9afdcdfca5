import type { Message } from "@pith/llm";
import { type ShownEntry, shownEntries } from "../session/context.ts";
import type { Entry } from "../session/entry.ts";
import type { PathCut } from "./cause.ts";

/** A path that is to be made shorter: what the model is shown of each entry, and how long that is. */
export interface MeasuredEntry extends ShownEntry {
  tokens: number;
}

/** What the model is shown of a path, and about how long that is. */
export const measurePath = (path: readonly Entry[], tokens: (message: Message) => number): MeasuredEntry[] =>
  shownEntries(path).map(({ entry, messages }) => ({
    entry,
    messages,
    tokens: messages.reduce((sum, message) => sum + tokens(message), 0),
  }));

/**
 * The place from which on at most `keep` tokens stand; where no such place may be cut at, the last one that may. Never
 * between a call and its result.
 */
export function findCut(path: readonly MeasuredEntry[], keep: number): PathCut {
  const places = placesOf(path);
  let kept = 0;
  let at: number | undefined;
  for (let index = path.length - 1; index >= 0; index--) {
    kept += path[index]?.tokens ?? 0;
    if (kept > keep && at !== undefined) break;
    if (!places.has(index)) continue;
    at = index;
    if (kept > keep) break;
  }
  return cutAt(path, at ?? path.length);
}

/** The cut at a place: what only notes something right before it goes along, and the turn it goes through is found. */
export function cutAt(path: readonly MeasuredEntry[], place: number): PathCut {
  let at = place;
  while (at > 0 && isNote(path[at - 1])) at--;
  if (place >= path.length || beginsTurn(path[place]?.entry)) return { at, turn: at };
  let turn = place;
  while (turn > 0 && !beginsTurn(path[turn]?.entry)) turn--;
  return { at, turn: beginsTurn(path[turn]?.entry) ? turn : 0 };
}

/** Where a path may be cut: at anything that is shown, unless a result behind it answers a call before it. */
function placesOf(path: readonly MeasuredEntry[]): Set<number> {
  const asked = new Set(path.flatMap(({ messages }) => messages.flatMap(callsOf)));
  const open = new Set<string>();
  const places = new Set<number>();
  for (let index = path.length - 1; index >= 0; index--) {
    const { messages = [], entry } = path[index] ?? {};
    for (const message of messages)
      if (message.role === "toolResult" && asked.has(message.toolCallId)) open.add(message.toolCallId);
    for (const message of messages) for (const call of callsOf(message)) open.delete(call);
    const isResult = messages.some(({ role }) => role === "toolResult");
    if (messages.length > 0 && !isResult && open.size === 0 && entry?.type !== "compaction") places.add(index);
  }
  return places;
}

const callsOf = (message: ShownEntry["messages"][number]): string[] =>
  message.role === "assistant" ? message.content.flatMap((part) => (part.type === "toolCall" ? [part.id] : [])) : [];

/** Whether a turn begins with an entry: what people said or ran, notes, and what came of another branch. */
export function beginsTurn(entry: Entry | undefined): boolean {
  // What we tell the model in the middle of a turn begins none.
  if (entry?.type === "custom_message") return entry.customType !== "pith.note";
  if (entry?.type === "branch_summary") return true;
  const role: string | undefined = entry?.type === "message" ? entry.message.role : undefined;
  return role === "user" || role === "bashExecution";
}

const isNote = (item: MeasuredEntry | undefined): boolean =>
  item !== undefined && item.messages.length === 0 && item.entry.type !== "compaction" && item.entry.type !== "message";

export const totalTokens = (path: readonly MeasuredEntry[]): number =>
  path.reduce((sum, { tokens }) => sum + tokens, 0);
