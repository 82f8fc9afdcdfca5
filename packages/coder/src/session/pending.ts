import {
  type EntryDraft,
  type Intent,
  type Outcome,
  type PrepareOptions,
  refusal,
  type SessionTree,
} from "@pith/agent";

/** An action that a tool has shown and not done. Holds only data, because it is recorded. */
export interface PendingAction {
  tool: string;
  /** In a few words, for people and for the model. */
  label: string;
  /**
   * Data by which the tool does it, and tells whether it still is what was shown. The paths that it touches are worked
   * out from this and never recorded, because a record may come from a stranger.
   */
  plan: unknown;
}

type Prepare = (plan: unknown, how: PrepareOptions) => Promise<Intent | Outcome>;

/** Stores shown actions until they are decided. */
export interface PendingStore {
  load(): readonly PendingAction[];
  save(waiting: readonly PendingAction[]): void;
}

/** Shown actions that wait for a decision, the newest last, and the tools that can do them. */
export class Pending {
  readonly #store: PendingStore;
  readonly #tools = new Map<string, Prepare>();
  #fresh: string | undefined;

  constructor(store: PendingStore = memoryPending()) {
    this.#store = store;
  }
  /** Registers the tool that does its shown actions. */
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
  /** True when the action was shown by this process and not an earlier one. */
  isFresh(action: PendingAction): boolean {
    return this.#fresh === keyOf(action);
  }
  /** Works out the action as it would be done now. */
  async prepare({ tool, plan }: PendingAction, how: PrepareOptions): Promise<Intent | Outcome> {
    const prepare = this.#tools.get(tool);
    return prepare ? prepare(plan, how) : refusal(`The tool ${tool}, which has shown this, is not there any more.`);
  }
  /** Removes the action if it still is the newest, so that it is decided only once. */
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

/** Keeps waiting actions in the newest `pith.pending` entry, where a resume and a move in the tree find them. */
export function sessionPending(tree: SessionTree, record: (draft: EntryDraft) => void): PendingStore {
  return {
    load: () => {
      const { waiting } = (tree.lastCustom(type) as { data?: { waiting?: PendingAction[] } } | undefined)?.data ?? {};
      return Array.isArray(waiting) ? waiting : [];
    },
    save: (waiting) => record({ type: "custom", customType: type, data: { waiting } }),
  };
}
