import { AsyncLocalStorage } from "node:async_hooks";
import { type ReadGuard, type Touch, touch } from "@pith/agent";

/** Thrown where a call that is only being prepared would look at a place that was not judged. */
class Unjudged extends Error {
  readonly place: Touch;

  constructor(place: Touch) {
    super(`${place.path} was not judged yet`);
    this.place = place;
  }
}

/**
 * Stands between the preparation of calls and the disk: a place that is not free to look at is judged before anything
 * of it is seen, so that the model learns neither its content nor whether it exists. Preparing changes nothing, so it
 * simply begins again when the answer is there. A call that runs was judged already and is not held.
 */
export class Looking {
  readonly #isFree: (real: string, path: string) => boolean;
  /** The places that a running preparation may see. */
  readonly #judged = new AsyncLocalStorage<Set<string>>();

  /** `isFree` tells whether anybody may look at a real path that is named so. */
  constructor(isFree: (real: string, path: string) => boolean) {
    this.#isFree = isFree;
  }

  readonly sight: ReadGuard = async (prepare, judge) => {
    const judged = new Set<string>();
    for (;;) {
      try {
        return await this.#judged.run(judged, prepare);
      } catch (error) {
        if (!(error instanceof Unjudged)) throw error;
        const stop = await judge(error.place);
        if (stop) return stop;
        judged.add(error.place.real);
      }
    }
  };

  /**
   * Called before every look. Gives the place that was judged, the only one to look at, for the path may lead elsewhere
   * a moment later; undefined where nothing is being prepared.
   */
  check(path: string): string | undefined {
    const judged = this.#judged.getStore();
    if (!judged) return undefined;
    const place = touch("read", path);
    if (!this.#isFree(place.real, place.path) && !judged.has(place.real)) throw new Unjudged(place);
    return place.real;
  }
}
