import { fail, formatCount, ok, type Result, sumOf } from "@pith/kit";
import type { PathCut } from "./cause.ts";
import { cutAt, findCut, type MeasuredEntry, totalTokens } from "./cut.ts";
import type { WindowSizes } from "./size.ts";
import { cutLargest } from "./strategy/shake.ts";
import type { MessageEdit } from "./strategy/strategy.ts";

/** The cut of a path, and edits that shorten the kept part. */
export interface CompactionPlan {
  /** Cut of the planned entries. */
  cut: PathCut;
  edits: readonly MessageEdit[];
  /** Tokens that are kept. */
  kept: number;
}

/** Tokens around a summary at least: frame, headings, the word to go on. */
const around = 160;

/**
 * Plans before any summary is requested, so that one run is enough: after it a third of the room is free. Keeps as much
 * as wanted, else half of that, else cuts the largest results; if even that does not fit, the failure names what fills
 * the window.
 */
export function planCompaction(
  path: readonly MeasuredEntry[],
  sizes: WindowSizes,
): Result<CompactionPlan, "prompt" | "full" | "nothing"> {
  const most = sizes.goal - sizes.fixed - sizes.summary - sizes.words - around;
  const fixed = `the system prompt and the tools alone are about ${about(sizes.fixed)} of ${about(sizes.window)}`;
  if (most <= 0) return fail("prompt", fixed);
  const from = path.findIndex(({ messages, entry }) => messages.length > 0 && entry.type !== "compaction");
  if (from === -1) return fail("nothing", "there is nothing to make shorter");
  for (const keep of [sizes.keep, sizes.keep / 2]) {
    const cut = findCut(path, keep);
    const kept = totalTokens(path.slice(cut.at));
    if (kept > most) continue;
    return cut.at > from ? ok({ cut, edits: [], kept }) : fail("nothing", "all of it is recent, and kept");
  }
  const cut = findCut(path, 0);
  const rest = path.slice(cut.at);
  const gains = cutLargest(rest, totalTokens(rest) - most);
  if (gains) {
    const won = sumOf(gains, (gain) => gain.won);
    return ok({ cut, edits: gains.map(({ edit }) => edit), kept: totalTokens(rest) - won });
  }
  // A long answer can be summed up; what the user said last cannot.
  if (rest.every(({ messages }) => messages.every(({ role }) => role !== "user")))
    return ok({ cut: cutAt(path, path.length), edits: [], kept: 0 });
  return fail("full", largest(rest, sizes));
}

function largest(path: readonly MeasuredEntry[], { window }: WindowSizes): string {
  const item = path.reduce((one, other) => (other.tokens > one.tokens ? other : one));
  const role = item.messages[0]?.role;
  const who = role === "user" ? "what was said last" : role === "toolResult" ? "the last result" : "the last answer";
  return `${who} is about ${about(item.tokens)}, and the window of the model takes ${about(window)}`;
}

const about = (tokens: number): string => `${formatCount(tokens)} tokens`;
