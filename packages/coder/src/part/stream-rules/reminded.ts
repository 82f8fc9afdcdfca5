import type { EntryDraft } from "@pith/agent";
import type { Hall } from "../../hall/hall.ts";

/** The rules that the model was reminded of, by the record of the conversation, and how many answers ago. */
export class Reminded {
  readonly #hall: Pick<Hall, "settings" | "tree">;
  /** The number of answers at the last reminder, by rule. */
  #last = new Map<string, number>();
  #answers = 0;

  constructor(hall: Pick<Hall, "settings" | "tree">) {
    this.#hall = hall;
  }

  /** Reads the path anew: a person may have gone back to before a reminder. */
  refresh(): void {
    const names = new Set<string>();
    // Other products write only the new rules to an entry.
    this.#hall.tree.last("ttsr_injection", (entry) => {
      if (entry.type === "ttsr_injection" && Array.isArray(entry.injectedRules))
        for (const name of entry.injectedRules) if (typeof name === "string") names.add(name);
      return false;
    });
    this.#last = new Map([...names].map((name) => [name, this.#last.get(name) ?? this.#answers]));
  }

  answered(): void {
    this.#answers++;
  }

  /** True when the model may be reminded of a rule now. */
  may(name: string): boolean {
    const last = this.#last.get(name);
    if (last === undefined) return true;
    const { settings } = this.#hall;
    return settings.get("ttsr.repeatMode") === "after-gap" && this.#answers - last >= settings.get("ttsr.repeatGap");
  }

  /** Notes a reminder of these rules, and returns the entry for it, which names all so far. */
  note(names: readonly string[]): EntryDraft {
    for (const name of names) this.#last.set(name, this.#answers);
    return { type: "ttsr_injection", injectedRules: [...this.#last.keys()] };
  }
}
