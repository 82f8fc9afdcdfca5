import type { AssistantMessage, Message } from "../message/message.ts";
import type { Request } from "../message/stream.ts";
import { type RequestView, unmet } from "./expect.ts";
import type { Script, Turn } from "./script.ts";

export interface ScriptPosition {
  turn: Turn;
  /** As a person finds it in the script: `turn 3`, `side.title`. */
  name: string;
  /** The step of the conversation, from 1; a repeated turn has several. */
  step: number;
}

/**
 * Where in the script a request stands. The conversation itself tells: each reply of this model in it is one step
 * done. So a resumed session goes on where it was, and sessions beside each other do not disturb each other.
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
 * Failed requests leave a message only when nobody tried again, so those of a running conversation are also counted
 * here: by its first message, and by the reply before them, since what came first may be summed up. Forgotten with the
 * process: a resumed session knows only what it recorded.
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

/** By the replies that are there; where some were summed up, the last one says itself which it was. */
function stepsDone(request: Request, failures: Failures): number {
  const { last, replies, failed, since } = repliesIn(request);
  const told = Number(/^faux_(\d+)$/.exec(last?.responseId ?? "")?.[1] ?? 0);
  const counted = replies - failed + Math.max(failed, failures.of(request.messages[0]));
  return Math.max(counted, told + Math.max(since, failures.of(last)));
}

/** The last reply of this model that did not fail, how many there are, how many failed, and how many of these since. */
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
