import type { Entry, EntryDraft, KeptText, SessionTree } from "@pith/agent";

/** What a long conversation may not lose of a part. */
export interface Keeps {
  /**
   * Names of `custom` entries whose newest on the path is its state: said again by the write of a compaction, since the
   * end of a long file is read only back to the last one.
   */
  state?: readonly string[];
  /** What the model has to know of it word for word, as it stands now. */
  words?(): readonly KeptText[] | Promise<readonly KeptText[]>;
  /** Files that the running turn has changed and that no result tells of. */
  changed?(): Promise<readonly string[]>;
  /** Whether something is still to be done that the model goes on with unasked. */
  open?(): boolean;
}

/** What all parts of a conversation keep through a compaction; in the order of the list. */
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

  /** A part that cannot tell what it keeps costs nobody else theirs. */
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

/** The newest of everything that is somebody's state: how the conversation is held, and what goes by these names. */
export function statesIn(tree: SessionTree, names: readonly string[]): Entry[] {
  const codes = (["model_change", "thinking_level_change", "session_info"] as const).map((code) => tree.last(code));
  const customs = [...new Set(names)].map((name) => tree.lastCustom(name));
  return [...codes, ...customs].filter((entry): entry is Entry => entry !== undefined);
}

/** An entry as it is said again. */
export function againOf({ id: _, parentId: __, timestamp: ___, ...draft }: Entry): EntryDraft {
  return draft;
}
