import { sleep } from "@pith/kit";

/** Reads the output of a command until it ends, or until `close`: a process that got away may hold it open for ever. */
export class OutputReader {
  readonly #readers: ReadableStreamDefaultReader<Uint8Array>[];
  readonly #ended: Promise<void>;
  #chunks = 0;
  /** The time at which the last writer closed it. */
  endedAt: number | undefined;

  constructor(streams: readonly ReadableStream<Uint8Array>[], onData: (chunk: Uint8Array) => void) {
    this.#readers = streams.map((stream) => stream.getReader());
    this.#ended = Promise.all(
      this.#readers.map(async (reader) => {
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          this.#chunks++;
          onData(part.value);
        }
      }),
    ).then(() => {
      this.endedAt = performance.now();
    });
  }

  /** Waits for the end while something still comes, at most two seconds. */
  async settle(): Promise<void> {
    for (let turn = 0, seen = -1; this.endedAt === undefined && turn < 20 && seen !== this.#chunks; turn++) {
      seen = this.#chunks;
      const wait = new AbortController();
      await Promise.race([this.#ended, sleep(100, wait.signal)]);
      wait.abort();
      // After a time in which this process was busy, output that has come meanwhile is still to be read.
      if (this.endedAt === undefined) await new Promise((done) => setImmediate(done));
    }
  }

  async close(): Promise<void> {
    if (this.endedAt !== undefined) return;
    await Promise.all(this.#readers.map((reader) => reader.cancel()));
    await this.#ended;
  }
}
