import type { Behaviour } from "@pith/agent";

/** What was found out after the result it belongs to had gone; it goes along with the next one. */
export class Late {
  #notes: string[] = [];

  get size(): number {
    return this.#notes.length;
  }

  add(note: string): void {
    this.#notes.push(note);
  }

  take(): string[] {
    return this.#notes.splice(0);
  }
}

export const lateNotes = (late: Late): Behaviour => ({
  name: "late notes",
  result(_, outcome) {
    const notes = late.take();
    return notes.length === 0
      ? outcome
      : { ...outcome, meta: { ...outcome.meta, notes: [...(outcome.meta?.notes ?? []), ...notes] } };
  },
});
