import type { Draft, Outcome, Tree } from "@pith/agent";

/** What a tool has shown and not done. It is recorded, so it holds only data. */
export interface PendingAction {
  tool: string;
  /** In a few words, for people and for the model. */
  label: string;
  /** What it would write. */
  paths: readonly string[];
  /** What the tool needs to do it, and to see whether it still is what was shown. */
  plan: unknown;
}

type Apply = (plan: unknown, signal: AbortSignal) => Promise<Outcome>;

/** Where shown actions wait. */
export interface PendingStore {
  load(): readonly PendingAction[];
  save(waiting: readonly PendingAction[]): void;
}

/** Shown actions that wait for a decision, the newest last; and the tools that can do them. */
export class Pending {
  readonly #store: PendingStore;
  readonly #tools = new Map<string, Apply>();
  #fresh: string | undefined;

  constructor(store: PendingStore = memoryPending()) {
    this.#store = store;
  }
  /** A tool takes on what it has shown. */
  serve(tool: string, apply: Apply): void {
    this.#tools.set(tool, apply);
  }
  push(action: PendingAction): void {
    this.#fresh = keyOf(action);
    this.#store.save([...this.#store.load(), action]);
  }
  get top(): PendingAction | undefined {
    return this.#store.load().at(-1);
  }
  /** Whether the newest was shown by this process and not an earlier one. */
  isFresh(action: PendingAction): boolean {
    return this.#fresh === keyOf(action);
  }
  /** Takes the newest; whatever becomes of it, it is decided once. */
  take(): { label: string; apply(signal: AbortSignal): Promise<Outcome> } | undefined {
    const waiting = this.#store.load();
    const taken = waiting.at(-1);
    const apply = taken && this.#tools.get(taken.tool);
    if (!taken || !apply) return undefined;
    this.#store.save(waiting.slice(0, -1));
    return { label: taken.label, apply: (signal) => apply(taken.plan, signal) };
  }
}

export const keyOf = (action: PendingAction): string => JSON.stringify(action);

function memoryPending(): PendingStore {
  let waiting: readonly PendingAction[] = [];
  return {
    load: () => waiting,
    save: (next) => {
      waiting = next;
    },
  };
}

const type = "pith.pending";

/**
 * What waits in a session is its newest `pith.pending` entry: a resume finds it, and a move in the tree takes it
 * along.
 */
export function sessionPending(tree: Tree, record: (draft: Draft) => void): PendingStore {
  return {
    load: () => {
      const { waiting } = (tree.lastCustom(type) as { data?: { waiting?: PendingAction[] } } | undefined)?.data ?? {};
      return Array.isArray(waiting) ? waiting : [];
    },
    save: (waiting) => record({ type: "custom", customType: type, data: { waiting } }),
  };
}
