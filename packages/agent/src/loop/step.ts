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
  /** Sees each group of events; an Interrupt ends the stream. */
  watch(events: readonly StreamEvent[]): ReturnType<Hooks["delta"]>;
}

/** Makes one request and builds its reply. Returns at once when aborted, whatever the stream does. */
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
        // The watcher failed, not the stream.
        broken = { error };
        break;
      }
    }
    // Also for a stream that has ended: its wrappers would wait for their timeout.
    void events.return?.().then(undefined, () => {});
  } catch (error) {
    // Streams report failures as events; a throw is a bug of the protocol, treated as a malformed answer.
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

/** The reply, and what ended it early. */
export interface StepResult extends Reply {
  interrupt?: Interrupt;
  /** Set when the watcher failed; the answer so far is still paid for. */
  broken?: { error: unknown };
  /** Usage of an interrupted answer, estimated if it was not reported. */
  spent?: AssistantMessage;
}
