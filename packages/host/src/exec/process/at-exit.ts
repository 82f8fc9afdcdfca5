import { tryOr } from "@pith/kit";

// All callers share a listener: a process warns when it has many.
const callbacks = new Set<() => void>();
const runAll = () => {
  for (const run of callbacks) tryOr(run);
};

/** Runs something when the process ends, unless the returned function is called before. */
export function atExit(run: () => void): () => void {
  if (callbacks.size === 0) process.on("exit", runAll);
  callbacks.add(run);
  return () => {
    if (callbacks.delete(run) && callbacks.size === 0) process.off("exit", runAll);
  };
}
