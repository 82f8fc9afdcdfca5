import type { Entry, EntryDraft, KeptText, SessionTree } from "@pith/agent";

/** State of a part that must outlive a compaction. */
export interface Keeps {
  /**
   * Names of `custom` entries whose newest on the path is state. A compaction writes them again, because a long file is
   * read back only to its last compaction.
   */
  state?: readonly string[];
  /** Texts that the model must keep word for word. */
  words?(): readonly KeptText[] | Promise<readonly KeptText[]>;
  /** Files that the running turn has changed, also those that no result names. */
  changed?(): Promise<readonly string[]>;
  /** True when work is left that the model goes on with unasked. */
  open?(): boolean;
}

/** The state of all parts that outlives a compaction, in the order of the list. */
export class Keeping {
  readonly #list: Keeps[] = [];

  add(keeps: Keeps): void {
    this.#list.push(keeps);
  }

  get states(): readonly string[] {
    return [...new Set(this.#list.flatMap(({ state }) => state ?? []))];
  }

  get open(): boolean {
    return this.#list.some((keeps) => keeps.open?.() === true);
  }

  words(onThrow: (error: unknown) => void): Promise<KeptText[]> {
    return this.#each(async (keeps) => keeps.words?.(), onThrow);
  }

  changed(onThrow: (error: unknown) => void): Promise<string[]> {
    return this.#each(async (keeps) => keeps.changed?.(), onThrow);
  }

  /** Asks all parts; a part that throws is reported, and the others are asked on. */
  async #each<T>(
    ask: (keeps: Keeps) => Promise<readonly T[] | undefined>,
    onThrow: (error: unknown) => void,
  ): Promise<T[]> {
    const all: T[] = [];
    for (const keeps of this.#list) {
      try {
        all.push(...((await ask(keeps)) ?? []));
      } catch (error) {
        onThrow(error);
      }
    }
    return all;
  }
}

/** The newest entries of all state: model, effort, name of the session, and the `custom` entries of these names. */
export function statesIn(tree: SessionTree, names: readonly string[]): Entry[] {
  const codes = (["model_change", "thinking_level_change", "session_info"] as const).map((code) => tree.last(code));
  const customs = [...new Set(names)].map((name) => tree.lastCustom(name));
  return [...codes, ...customs].filter((entry): entry is Entry => entry !== undefined);
}

/** A draft to write an entry again. */
export function againOf({ id: _, parentId: __, timestamp: ___, ...draft }: Entry): EntryDraft {
  return draft;
}
