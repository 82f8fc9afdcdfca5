import { attempt } from "./attempt.ts";

/** However many live in a process, it hears one of us. */
const wanted = new Set<() => void>();
const leave = () => {
  for (const run of wanted) attempt(run);
};

/** Does this when the process ends, unless it is called off before. */
export function atExit(run: () => void): () => void {
  if (wanted.size === 0) process.on("exit", leave);
  wanted.add(run);
  return () => {
    if (wanted.delete(run) && wanted.size === 0) process.off("exit", leave);
  };
}
