import {
  type EntryDraft,
  type Intent,
  type Outcome,
  type PrepareOptions,
  refusal,
  type SessionTree,
} from "@pith/agent";

/** What a tool has shown and not done. It is recorded, so it holds only data. */
export interface PendingAction {
  tool: string;
  /** In a few words, for people and for the model. */
  label: string;
  /**
   * What the tool needs to do it, and to see whether it still is what was shown. A record may come from a stranger, so
   * what it would touch is worked out from this and never kept.
   */
  plan: unknown;
}

type Prepare = (plan: unknown, how: PrepareOptions) => Promise<Intent | Outcome>;

/** Where shown actions wait. */
export interface PendingStore {
  load(): readonly PendingAction[];
  save(waiting: readonly PendingAction[]): void;
}

/** Shown actions that wait for a decision, the newest last; and the tools that can do them. */
export class Pending {
  readonly #store: PendingStore;
  readonly #tools = new Map<string, Prepare>();
  #fresh: string | undefined;

  constructor(store: PendingStore = memoryPending()) {
    this.#store = store;
  }
  /** A tool takes on what it has shown. */
  serve(tool: string, prepare: Prepare): void {
    this.#tools.set(tool, prepare);
  }
  push(action: PendingAction): void {
    this.#fresh = keyOf(action);
    this.#store.save([...this.#waiting(), action]);
  }
  get top(): PendingAction | undefined {
    return this.#waiting().at(-1);
  }
  /** Whether the newest was shown by this process and not an earlier one. */
  isFresh(action: PendingAction): boolean {
    return this.#fresh === keyOf(action);
  }
  /** What doing it means, now. */
  async prepare({ tool, plan }: PendingAction, how: PrepareOptions): Promise<Intent | Outcome> {
    const prepare = this.#tools.get(tool);
    return prepare ? prepare(plan, how) : refusal(`There is no tool ${tool} any more that could do what was shown.`);
  }
  /** Takes it off, if it still is the newest: whatever becomes of it, it is decided once. */
  take(action: PendingAction): boolean {
    const waiting = this.#waiting();
    const newest = waiting.at(-1);
    if (!newest || keyOf(newest) !== keyOf(action)) return false;
    this.#store.save(waiting.slice(0, -1));
    return true;
  }
  #waiting(): PendingAction[] {
    return this.#store.load().filter(isAction);
  }
}

const isAction = (kept: Partial<PendingAction> | null): kept is PendingAction =>
  typeof kept?.tool === "string" && typeof kept.label === "string";

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
 * What waits in a session is its newest `pith.pending` entry: a resume finds it, and a move in the tree takes it along.
 */
export function sessionPending(tree: SessionTree, record: (draft: EntryDraft) => void): PendingStore {
  return {
    load: () => {
      const { waiting } = (tree.lastCustom(type) as { data?: { waiting?: PendingAction[] } } | undefined)?.data ?? {};
      return Array.isArray(waiting) ? waiting : [];
    },
    save: (waiting) => record({ type: "custom", customType: type, data: { waiting } }),
  };
}
