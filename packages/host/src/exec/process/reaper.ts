import { ownChildren } from "./table.ts";

/**
 * Takes the exit status of adopted orphans that died. The runtime takes the status of its own children within
 * milliseconds; a child that has been dead for a second belongs to nobody.
 */
export class Reaper implements Disposable {
  readonly #reap: (pid: number) => void;
  #dead = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(reap: (pid: number) => void) {
    this.#reap = reap;
  }

  /** Schedules a check, at most one per second; it repeats itself while there are dead children. */
  sweep(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#take(), secondMs);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #take(): void {
    this.#timer = undefined;
    const dead = ownChildren().flatMap(({ pid, state }) => (state === "Z" ? [pid] : []));
    for (const pid of dead) if (this.#dead.has(pid)) this.#reap(pid);
    this.#dead = new Set(dead);
    if (dead.length > 0) this.sweep();
  }
}

const secondMs = 1000;
