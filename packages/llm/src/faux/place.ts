import type { AssistantMessage, Message } from "../message/message.ts";
import type { Request } from "../message/stream.ts";
import { type Seen, unmet } from "./expect.ts";
import type { Script, Turn } from "./script.ts";

export interface Place {
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
export function findPlace(script: Script, request: Request, seen: Seen, failures: Failures): Place | undefined {
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

function placeAt(script: Script, at: number, step: number): Place | undefined {
  const turn = script.turns[at];
  return turn && { turn, name: `turn ${at + 1}`, step };
}

/**
 * Failed requests leave a message only when nobody tried again, so those of a running conversation are also counted
 * here, by its first message. Forgotten with the process: a resumed session knows only what it recorded.
 */
export class Failures {
  readonly #counts = new WeakMap<Message, number>();

  add({ messages: [first] }: Request, count: 1 | -1): void {
    if (first) this.#counts.set(first, this.of(first) + count);
  }
  of(first: Message | undefined): number {
    return (first && this.#counts.get(first)) ?? 0;
  }
}

function stepsDone({ model, messages }: Request, failures: Failures): number {
  const replies = messages.filter(
    (message): message is AssistantMessage =>
      message.role === "assistant" && message.provider === model.vendor && message.model === model.id,
  );
  const failed = replies.filter((message) => message.stopReason === "error" || message.stopReason === "aborted").length;
  return replies.length - failed + Math.max(failed, failures.of(messages[0]));
}
