import type { Violation } from "../sandbox/guard/guard.ts";
import type { SandboxWatch } from "../sandbox/sandbox.ts";

/** Watches for violations while a command runs in the sandbox; the returned function ends that and lists them. */
export function watchViolations(
  watch: SandboxWatch,
  notify: ((text: string) => void) | undefined,
): () => readonly Violation[] | undefined {
  const found: Violation[] = [];
  const add = (more: readonly Violation[]) => {
    for (const { path, what, text } of more) notify?.(`${path} (in the sandbox, ${what}): ${text}`);
    found.push(...more);
  };
  const timer = setInterval(() => add(watch.check()), everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    add(watch.end());
    return found.length === 0 ? undefined : found;
  };
}

const everyMs = 1000;
