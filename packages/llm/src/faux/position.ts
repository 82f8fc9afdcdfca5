import type { AssistantMessage, Message } from "../message/message.ts";
import type { Request } from "../message/stream.ts";
import { type RequestView, unmet } from "./expect.ts";
import type { Script, Turn } from "./script.ts";

export interface ScriptPosition {
  turn: Turn;
  /** The turn's name in the script: `turn 3`, `side.title`. */
  name: string;
  /** Step of the conversation, from 1; a repeated turn has several. */
  step: number;
}

/**
 * Finds the turn for a request by its history: each reply of this model is one step. So a resumed session goes on where
 * it was, and concurrent sessions do not disturb each other.
 */
export function findPosition(
  script: Script,
  request: Request,
  seen: RequestView,
  failures: Failures,
): ScriptPosition | undefined {
  const step = stepsDone(request, failures) + 1;
  const aside = script.turns.findIndex((turn) => turn.when && unmet(turn.when, seen) === undefined);
  if (aside !== -1) return placeAt(script, aside, step);
  let left = step;
  let last = -1;
  for (const [at, turn] of script.turns.entries()) {
    if (turn.when) continue;
    last = at;
    left -= turn.repeat ?? 1;
    if (left <= 0) return placeAt(script, at, step);
  }
  return script.after === "repeat-last" ? placeAt(script, last, step) : undefined;
}

function placeAt(script: Script, at: number, step: number): ScriptPosition | undefined {
  const turn = script.turns[at];
  return turn && { turn, name: `turn ${at + 1}`, step };
}

/**
 * Counts failed requests of a running conversation, since most leave no message: by its first message, and by the last
 * reply before them in case the first was summed up. Not kept after the process ends.
 */
export class Failures {
  readonly #counts = new WeakMap<Message, number>();

  add(request: Request, count: 1 | -1): void {
    const { last } = repliesIn(request);
    for (const key of [request.messages[0], last]) if (key) this.#counts.set(key, this.of(key) + count);
  }
  of(key: Message | undefined): number {
    return (key && this.#counts.get(key)) ?? 0;
  }
}

/** Steps done by the number of replies. Where some were summed up, the response id of the last one has its number. */
function stepsDone(request: Request, failures: Failures): number {
  const { last, replies, failed, since } = repliesIn(request);
  const told = Number(/^faux_(\d+)$/.exec(last?.responseId ?? "")?.[1] ?? 0);
  const counted = replies - failed + Math.max(failed, failures.of(request.messages[0]));
  return Math.max(counted, told + Math.max(since, failures.of(last)));
}

/**
 * The last good reply of this model, the number of replies, of failed ones, and of failed ones since the last good one.
 */
function repliesIn({ model, messages }: Request) {
  const all = messages.filter(
    (message): message is AssistantMessage =>
      message.role === "assistant" && message.provider === model.vendor && message.model === model.id,
  );
  const isGood = ({ stopReason }: AssistantMessage) => stopReason !== "error" && stopReason !== "aborted";
  const at = all.findLastIndex(isGood);
  return {
    last: all[at],
    replies: all.length,
    failed: all.length - all.filter(isGood).length,
    since: all.length - at - 1,
  };
}
