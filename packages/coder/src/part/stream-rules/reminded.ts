import type { EntryDraft, SessionTree } from "@pith/agent";

interface Again {
  mode: "once" | "after-gap";
  gap: number;
}

/** Of which rules the model was reminded in this conversation, as its record says, and how many answers ago. */
export class Reminded {
  readonly #tree: Pick<SessionTree, "last">;
  readonly #again: () => Again;
  /** Rules by how many answers there had been. */
  #last = new Map<string, number>();
  #answers = 0;

  constructor(tree: Pick<SessionTree, "last">, again: () => Again) {
    this.#tree = tree;
    this.#again = again;
  }

  /** Looks at the path as it is now: a person may have gone back to before a reminder. */
  refresh(): void {
    const names = new Set<string>();
    // Others write only the new ones, so all are read.
    this.#tree.last("ttsr_injection", (entry) => {
      if (entry.type === "ttsr_injection" && Array.isArray(entry.injectedRules))
        for (const name of entry.injectedRules) if (typeof name === "string") names.add(name);
      return false;
    });
    this.#last = new Map([...names].map((name) => [name, this.#last.get(name) ?? this.#answers]));
  }

  /** The model has answered once more. */
  answered(): void {
    this.#answers++;
  }

  /** Whether it may be reminded of a rule now. */
  may(name: string): boolean {
    const last = this.#last.get(name);
    const { mode, gap } = this.#again();
    return last === undefined || (mode === "after-gap" && this.#answers - last >= gap);
  }

  /** It is reminded of these; the entry that says so names all so far. */
  note(names: readonly string[]): EntryDraft {
    for (const name of names) this.#last.set(name, this.#answers);
    return { type: "ttsr_injection", injectedRules: [...this.#last.keys()] };
  }
}
