import { children, type ProcessInfo } from "./table.ts";

/**
 * Orphans that died become our children and wait for somebody to take their status. Those of the runtime's own children
 * are taken by the runtime within milliseconds; who has been dead for a second is nobody's.
 */
export class Reaper implements Disposable {
  readonly #reap: (pid: number) => void;
  #dead = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(reap: (pid: number) => void) {
    this.#reap = reap;
  }

  /** Looks soon, at most once a second, and for as long as there are dead ones. */
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
    const dead = zombies().map(({ pid }) => pid);
    for (const pid of dead) if (this.#dead.has(pid)) this.#reap(pid);
    this.#dead = new Set(dead);
    if (dead.length > 0) this.sweep();
  }
}

const zombies = (): ProcessInfo[] => children().filter(({ state }) => state === "Z");
const secondMs = 1000;
