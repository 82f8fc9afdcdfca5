import { tryOr } from "@pith/kit";
import { streamResponse } from "./response.ts";

/** Characters that may wait for a reader before it is cut off. */
const maxWaiting = 16 * 1024 * 1024;
const heartbeatMs = 15_000;

/** Holds back lines that a slow reader has not taken. `cli/wire` has one that joins what can be joined. */
export interface LineQueue<Line> {
  push(line: Line): void;
  /** Characters that wait. */
  readonly size: number;
  flush(timeoutMs: number): Promise<unknown>;
}

export interface LineSource<Line> {
  createQueue(write: (text: string) => Promise<unknown>, encode: (line: Line) => string): LineQueue<Line>;
  /** Calls `push` for each line, with an id where a reader can resume; calls `over` after the last one. */
  watch(push: (line: Line, id: string | undefined) => void, over: () => void, lastId: string | undefined): Disposable;
}

/**
 * Streams server-sent events. A reader that reconnects sends the id it saw last and misses nothing; one that reads too
 * slowly is cut off.
 */
export function eventStream<Line extends object>(request: Request, source: LineSource<Line>): Response {
  const lastId = request.headers.get("last-event-id") ?? undefined;
  const encoder = new TextEncoder();
  const demand = new Demand();
  let watching: Disposable | undefined;
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  const end = () => {
    watching?.[Symbol.dispose]();
    clearInterval(heartbeat);
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const ids = new WeakMap<object, string>();
      const queue = source.createQueue(
        async (text) => {
          await demand.wait();
          controller.enqueue(encoder.encode(text));
        },
        (line) => `${ids.has(line) ? `id: ${ids.get(line)}\n` : ""}data: ${JSON.stringify(line)}\n\n`,
      );
      const finish = (how: "close" | "error") => {
        end();
        // The reader may have closed the stream already.
        tryOr(() => controller[how]());
      };
      let max = Number.POSITIVE_INFINITY;
      const push = (line: Line, id: string | undefined) => {
        if (id !== undefined && isPrintable.test(id)) ids.set(line, id);
        queue.push(line);
        if (queue.size > max) finish("error");
      };
      const over = () => {
        end();
        void queue.flush(1000).then(() => finish("close"));
      };
      watching = source.watch(push, over, lastId);
      // The first lines hold the whole state; their length does not count against the reader.
      max = queue.size + maxWaiting;
      // Proxies close a connection that is silent.
      heartbeat = setInterval(() => demand.waiting && controller.enqueue(encoder.encode(": here\n\n")), heartbeatMs);
    },
    pull: () => demand.signal(),
    cancel: end,
  });
  return streamResponse("text/event-stream", body);
}

/** An id that fits into a line. Ids come from session files, which may hold anything. */
const isPrintable = /^[\x21-\x7e]{1,200}$/;

/** Lets a writer wait until the reader asks for more. */
class Demand {
  waiting = false;
  #asked = Promise.withResolvers<void>();

  signal(): void {
    this.waiting = true;
    this.#asked.resolve();
  }

  async wait(): Promise<void> {
    while (!this.waiting) {
      this.#asked = Promise.withResolvers();
      await this.#asked.promise;
    }
    this.waiting = false;
  }
}
