import { messageOf, whenAborted } from "@pith/kit";
import type { Model, Request, Stream, StreamEvent } from "@pith/llm";
import { Fold, type Reply } from "./fold.ts";
import type { Interrupt } from "./hook.ts";

export interface StepParts {
  request: Request;
  model: Model;
  stream: Stream;
  signal: AbortSignal;
  now: number;
  /** Sees every group of events; an Interrupt ends the stream. */
  watch(events: readonly StreamEvent[]): Interrupt | undefined;
}

/** One request to the model, folded into one reply. Comes back at once when aborted, whatever the stream does. */
export async function ask(parts: StepParts): Promise<Reply & { interrupt?: Interrupt }> {
  const own = new AbortController();
  const signal = AbortSignal.any([parts.signal, own.signal]);
  const { promise: aborted, stop } = whenAborted(signal);
  const ended = aborted.then(() => ({ done: true, value: undefined }) as const);
  const fold = new Fold(parts.model, parts.now);
  let interrupt: Interrupt | undefined;
  try {
    const events = parts.stream(parts.request, signal)[Symbol.asyncIterator]();
    while (!fold.ended && !interrupt) {
      const next = await Promise.race([events.next(), ended]);
      if (next.done) break;
      fold.push(next.value);
      interrupt = parts.watch(next.value);
    }
    if (signal.aborted || interrupt) void events.return?.().then(undefined, () => {});
  } catch (error) {
    // A stream reports failure as an event; a throw is a bug of its protocol, told like a broken answer.
    fold.push([{ type: "fail", failure: { kind: "malformed", message: messageOf(error) } }]);
  } finally {
    stop();
    own.abort();
  }
  const reply =
    parts.signal.aborted || interrupt ? fold.finish({ kind: "aborted", message: "Interrupted." }) : fold.finish();
  return interrupt ? { ...reply, interrupt } : reply;
}
