/** What was sent before, reached with the up key; the unsent draft waits at the end. */
export interface Recall {
  add(text: string): void;
  /** What was sent in earlier runs, the oldest first. */
  before(entries: readonly string[]): void;
  older(draft: string): string | undefined;
  newer(): string | undefined;
  /** Typing ends the walk. */
  leave(): void;
}

export function createRecall(entries: readonly string[] = []): Recall {
  const all = [...entries];
  let at: number | undefined;
  let draft = "";
  return {
    add(text) {
      at = undefined;
      if (text.trim() !== "" && all.at(-1) !== text) all.push(text);
    },
    before(entries) {
      if (at !== undefined) at += entries.length;
      all.unshift(...entries);
    },
    older(present) {
      if (at === undefined) draft = present;
      const next = (at ?? all.length) - 1;
      if (next < 0) return undefined;
      at = next;
      return all[next];
    },
    newer() {
      if (at === undefined) return undefined;
      at++;
      if (at < all.length) return all[at];
      at = undefined;
      return draft;
    },
    leave() {
      at = undefined;
    },
  };
}
