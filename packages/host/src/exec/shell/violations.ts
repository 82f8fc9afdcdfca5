import type { Violation } from "../sandbox/guard/guard.ts";
import type { Sandbox, SandboxWatch } from "../sandbox/sandbox.ts";
import type { SandboxSide } from "./state/pair.ts";

export interface ViolationOptions {
  sandbox?: Sandbox | undefined;
  /** Something people should know. */
  notify?(text: string): void;
}

/** Looks after a command while it runs; the answer ends that, and says what was found. */
export function watchViolations(
  { sandbox, notify }: ViolationOptions,
  side: SandboxSide,
  watched: SandboxWatch | undefined,
): () => readonly Violation[] | undefined {
  if (!watched) {
    const over = side === "outside" ? sandbox?.beginOutside() : undefined;
    return () => void over?.();
  }
  const found: Violation[] = [];
  const add = (more: readonly Violation[]) => {
    for (const { path, what, text } of more) notify?.(`${path} (behind the wall, ${what}): ${text}`);
    found.push(...more);
  };
  const timer = setInterval(() => add(watched.check()), everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    add(watched.end());
    return found.length === 0 ? undefined : found;
  };
}

const everyMs = 1000;
