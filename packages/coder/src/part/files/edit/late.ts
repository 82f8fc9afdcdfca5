import type { Hook } from "@pith/agent";

/** Notes that came after their result had gone: they go along with the next one, else the model is told before it ends. */
export class Late {
  #notes: string[] = [];

  get size(): number {
    return this.#notes.length;
  }

  add(note: string): void {
    this.#notes.push(note);
  }

  readonly hook: Hook = {
    name: "late notes",
    result: (_, outcome) => {
      const late = this.#notes.splice(0);
      if (late.length === 0) return outcome;
      return { ...outcome, meta: { ...outcome.meta, notes: [...(outcome.meta?.notes ?? []), ...late] } };
    },
    settle: () => {
      const late = this.#notes.splice(0);
      return late.length === 0 ? { do: "done" } : { do: "go on", note: late.join("\n") };
    },
  };
}
