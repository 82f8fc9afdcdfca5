import { messageOf, raceEnd, whenAborted } from "@pith/kit";
import type { AssistantMessage, Model, Request, Stream, StreamEvent } from "@pith/llm";
import { type Reply, ReplyBuilder } from "./fold.ts";
import type { Hooks, Interrupt } from "./hook.ts";
import { estimateUsage } from "./spent.ts";

export interface StepOptions {
  request: Request;
  model: Model;
  stream: Stream;
  signal: AbortSignal;
  now: number;
  /** Sees every group of events; an Interrupt ends the stream. */
  watch(events: readonly StreamEvent[]): ReturnType<Hooks["delta"]>;
}

/** One request to the model, folded into one reply. Comes back at once when aborted, whatever the stream does. */
export async function runStep(options: StepOptions): Promise<StepResult> {
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const { promise: aborted, stop } = whenAborted(signal);
  const orEnded = raceEnd(aborted.then(() => ({ done: true, value: undefined }) as const));
  const fold = new ReplyBuilder(options.model, options.now);
  let interrupt: Interrupt | undefined;
  let broken: StepResult["broken"];
  try {
    const events = options.stream(options.request, signal)[Symbol.asyncIterator]();
    while (!fold.ended && !interrupt) {
      const next = await orEnded(events.next());
      if (next.done) break;
      fold.push(next.value);
      try {
        const answer = options.watch(next.value);
        interrupt = answer instanceof Promise ? await answer : answer;
      } catch (error) {
        // Not the stream's fault: whoever watches it is broken.
        broken = { error };
        break;
      }
    }
    // Also one that has said its last: whoever watches over it would go on until its patience ends.
    void events.return?.().then(undefined, () => {});
  } catch (error) {
    // A stream reports failure as an event; a throw is a bug of its protocol, told like a broken answer.
    fold.push([{ type: "fail", failure: { kind: "malformed", message: messageOf(error) } }]);
  } finally {
    stop();
    over.abort();
  }
  const cut = options.signal.aborted || interrupt || broken;
  const reply = cut ? fold.finish({ kind: "aborted", message: "Interrupted." }) : fold.finish();
  const spent = interrupt && estimateUsage(options.request, fold.said, reply.message);
  return { ...reply, interrupt, broken, spent };
}

/** What a request came to, and what ended it before its time. */
export interface StepResult extends Reply {
  interrupt?: Interrupt;
  /** Whoever watched it failed; what came so far is paid for all the same. */
  broken?: { error: unknown };
  /** Of an interrupted answer: what it came to, where nobody told that in time. */
  spent?: AssistantMessage;
}
