import { fail, type Result, sleep } from "@pith/kit";
import type { Program, ProgramEnd } from "./program.ts";

export interface KeptOptions<S> {
  /** Starts it and makes it ready; a failure counts like an end. */
  start(signal: AbortSignal): Promise<Result<{ program: Program; service: S }, string>>;
  /** Called when it has ended without being asked to. */
  ended?(end: ProgramEnd, complaints: string): void;
  /** The waits before it is started again, one after the other; past the last it is not. */
  waitsMs?: readonly number[];
  /** A program that lived this long begins with the first wait anew. */
  steadyMs?: number;
}

/**
 * A program that is there whenever somebody needs it: started by the first who asks, and started again, later each
 * time, when it ends. One that never stays is given up until `again`.
 */
export class KeptProgram<S> implements AsyncDisposable {
  readonly #options: KeptOptions<S>;
  readonly #waits: readonly number[];
  readonly #over = new AbortController();
  #current: Promise<Result<{ program: Program; service: S }, string>> | undefined;
  #failures = 0;
  #notBefore = 0;

  constructor(options: KeptOptions<S>) {
    this.#options = options;
    this.#waits = options.waitsMs ?? usualWaitsMs;
  }

  /** The running one; starts it if there is none, after the wait that is due. */
  async get(): Promise<Result<S, string>> {
    if (this.#over.signal.aborted) return fail("closed", "it was closed");
    this.#current ??= this.#start();
    const current = await this.#current;
    return current.ok ? { ok: true, value: current.value.service } : current;
  }

  /** Forgets that it did not stay. */
  again(): void {
    this.#failures = 0;
    this.#notBefore = 0;
    this.#current = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    const current = await this.#current;
    if (current?.ok) await current.value.program.end();
  }

  async #start(): Promise<Result<{ program: Program; service: S }, string>> {
    if (this.#failures > this.#waits.length)
      return fail("given up", `it ended ${this.#failures} times and is not started again`);
    const wait = this.#notBefore - performance.now();
    if (wait > 0 && (await sleep(wait, this.#over.signal)) === "aborted") return fail("closed", "it was closed");
    const began = performance.now();
    const started = await this.#options.start(this.#over.signal);
    if (!started.ok) {
      this.#fell(began);
      return started;
    }
    const { program } = started.value;
    void program.exited.then((end) => {
      if (this.#over.signal.aborted) return;
      this.#fell(began);
      this.#options.ended?.(end, program.complaints);
    });
    return started;
  }

  #fell(began: number): void {
    const now = performance.now();
    if (now - began >= (this.#options.steadyMs ?? usualSteadyMs)) this.#failures = 0;
    this.#notBefore = now + (this.#waits[this.#failures] ?? 0);
    this.#failures++;
    this.#current = undefined;
  }
}

const usualWaitsMs = [250, 1000, 4000, 15_000, 60_000];
const usualSteadyMs = 60_000;
