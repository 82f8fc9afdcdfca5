import { sumOf } from "@pith/kit";
import type { Message } from "@pith/llm";
import { type ShownEntry, shownEntries } from "../session/context.ts";
import type { Entry } from "../session/entry.ts";
import type { PathCut } from "./cause.ts";

/** An entry with its messages and their length. */
export interface MeasuredEntry extends ShownEntry {
  tokens: number;
}

/** Measures what the model is shown of a path. */
export const measurePath = (path: readonly Entry[], tokens: (message: Message) => number): MeasuredEntry[] =>
  shownEntries(path).map((shown) => ({ ...shown, tokens: sumOf(shown.messages, tokens) }));

/**
 * Finds the cut after which at most `keep` tokens remain; if there is none, the last place that may be cut. Never
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

/** The cut at a place: notes right before it are kept too, and the turn it goes through is found. */
export function cutAt(path: readonly MeasuredEntry[], place: number): PathCut {
  let at = place;
  while (at > 0 && isNote(path[at - 1])) at--;
  if (place >= path.length || beginsTurn(path[place]?.entry)) return { at, turn: at };
  let turn = place;
  while (turn > 0 && !beginsTurn(path[turn]?.entry)) turn--;
  return { at, turn: beginsTurn(path[turn]?.entry) ? turn : 0 };
}

/** Indexes at which a path may be cut: any shown entry, unless a result after it answers a call before it. */
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

/** True for entries that begin a turn: what people said or ran, notes, and branch summaries. */
export function beginsTurn(entry: Entry | undefined): boolean {
  // Our notes in the middle of a turn begin none.
  if (entry?.type === "custom_message") return entry.customType !== "pith.note";
  if (entry?.type === "branch_summary") return true;
  const role: string | undefined = entry?.type === "message" ? entry.message.role : undefined;
  return role === "user" || role === "bashExecution";
}

const isNote = (item: MeasuredEntry | undefined): boolean =>
  item !== undefined && item.messages.length === 0 && item.entry.type !== "compaction" && item.entry.type !== "message";

export const totalTokens = (path: readonly MeasuredEntry[]): number =>
  path.reduce((sum, { tokens }) => sum + tokens, 0);
