import { isInside } from "@pith/kit";

/** Begun is counted in `Date.now()`; over is absent while it lasts. */
interface Span {
  from: number;
  to?: number;
  /** Paths that could not be written meanwhile. */
  held: readonly string[];
}

/** The times in which commands ran. */
export class CommandTimes {
  readonly #spans = new Set<Span>();

  /** A command begins; tell when it is over. */
  begin(held: readonly string[] = []): () => void {
    const span: Span = { from: Date.now(), held };
    this.#spans.add(span);
    return () => {
      span.to = Date.now();
    };
  }

  /** The beginnings of those that still run. */
  get running(): number[] {
    return [...this.#spans].filter(({ to }) => to === undefined).map(({ from }) => from);
  }

  /** True where a command ran that could write a path when this was changed. The clock of a file system is slower. */
  cover(changed: number, path: string): boolean {
    for (const { from, to = Number.POSITIVE_INFINITY, held } of this.#spans)
      if (changed >= from - tickMs && changed <= to + tickMs && !held.some((one) => isInside(one, path))) return true;
    return false;
  }

  /** Forgets the oldest that are over. */
  trim(): void {
    for (const span of this.#spans) {
      if (this.#spans.size <= mostSpans) return;
      if (span.to !== undefined) this.#spans.delete(span);
    }
  }
}

const tickMs = 20;
const mostSpans = 2000;
