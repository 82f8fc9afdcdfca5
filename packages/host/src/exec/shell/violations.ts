import type { Trespass } from "../sandbox/guard/guard.ts";
import type { Wall, Watched } from "../sandbox/sandbox.ts";
import type { Side } from "./state/pair.ts";

export interface PatrolOptions {
  wall?: Wall | undefined;
  /** Something people should know. */
  tell?(text: string): void;
}

/** Looks after a command while it runs; the answer ends that, and says what was found. */
export function patrol(
  { wall, tell }: PatrolOptions,
  side: Side,
  watched: Watched | undefined,
): () => readonly Trespass[] | undefined {
  if (!watched) {
    const over = side === "open" ? wall?.beside() : undefined;
    return () => void over?.();
  }
  const found: Trespass[] = [];
  const add = (more: readonly Trespass[]) => {
    for (const { path, what, text } of more) tell?.(`${path} (behind the wall, ${what}): ${text}`);
    found.push(...more);
  };
  const timer = setInterval(() => add(watched.look()), everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    add(watched.end());
    return found.length === 0 ? undefined : found;
  };
}

const everyMs = 1000;
