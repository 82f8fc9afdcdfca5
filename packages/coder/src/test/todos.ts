import type { TodoPhase } from "../part/todo/list.ts";
import type { TodoStore } from "../part/todo/store.ts";

/** A list that no session keeps. */
export function memoryTodos(): TodoStore {
  let phases: readonly TodoPhase[] = [];
  const copy = () => structuredClone(phases) as TodoPhase[];
  return {
    storage: "memory",
    current: copy,
    all: copy,
    save: (next) => {
      phases = next;
    },
  };
}
