import { type Entry, type Meta, perTurn, type SessionTree, type TurnView } from "@pith/agent";
import { isRecord } from "@pith/kit";
import type { ToolCall, ToolResultMessage } from "@pith/llm";

/** A call and its result. */
export interface LedgerCall {
  /** The tool and its arguments; equal for the same call. */
  key: string;
  call: ToolCall;
  effect: string;
  failed: boolean;
  /** A digest of the result; equal for the same result. */
  result: string;
  step: number;
  /** True when it may have changed something. */
  moves: boolean;
  wrote: readonly string[];
  /** True when it was not run, because the same call was answered before. */
  repeat: boolean;
}

/** The ledgers of a conversation, one per turn. */
export class Ledgers {
  readonly #tree: Pick<SessionTree, "back" | "leaf">;
  readonly #turn = perTurn(() => ({ ledger: new Ledger(this.#looked), at: this.#tree.leaf }));
  /** Ids of commands that are proven to only read. */
  readonly #looked = new Set<string>();

  constructor(tree: Pick<SessionTree, "back" | "leaf">) {
    this.#tree = tree;
  }

  /** Marks a call that changes nothing, before its result is recorded. */
  looks(call: string): void {
    this.#looked.add(call);
  }

  /** The calls of a turn so far. */
  of(turn: Pick<TurnView, "id">): Ledger {
    const known = this.#turn(turn);
    const fresh: Entry[] = [];
    for (const entry of this.#tree.back()) {
      if (entry.id === known.at) break;
      fresh.push(entry);
    }
    known.at = this.#tree.leaf;
    known.ledger.take(fresh.reverse());
    return known.ledger;
  }
}

/** The calls of a turn in their order, read from the record. */
export class Ledger {
  readonly #rows: LedgerCall[] = [];
  readonly #open = new Map<string, ToolCall>();
  readonly #seen = new Set<string>();
  readonly #looked: Pick<Set<string>, "delete">;
  #step = 0;
  /** The first row whose answer still holds: nothing was changed or said since, and the model still sees it. */
  #holds = 0;

  constructor(looked: Pick<Set<string>, "delete">) {
    this.#looked = looked;
  }

  get rows(): readonly LedgerCall[] {
    return this.#rows;
  }

  /** The calls of the last step. */
  get last(): readonly LedgerCall[] {
    return this.#rows.slice(this.#rows.findLastIndex(({ step }) => step !== this.#step) + 1);
  }

  /** Reads new entries, oldest first. */
  take(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (forgets(entry)) this.#holds = this.#rows.length;
      if (entry.type !== "message") continue;
      const { message } = entry;
      if (message.role === "assistant") {
        this.#step++;
        for (const part of message.content) if (part.type === "toolCall") this.#open.set(part.id, part);
      } else if (message.role === "toolResult") {
        const rows = this.#result(message);
        this.#rows.push(...rows);
        if (rows.some(({ effect }) => effect !== "read")) this.#holds = this.#rows.length;
      }
    }
  }

  /** True when two calls ask for the same thing. */
  isSame = (a: ToolCall, b: ToolCall): boolean => keyOf(a) === keyOf(b);

  /** True when the same call was answered in the last `steps` steps and its answer still holds. */
  holds(call: ToolCall, steps: number): boolean {
    const key = keyOf(call);
    return this.#rows
      .slice(this.#holds)
      .some((row) => row.key === key && !row.failed && !row.repeat && this.#step - row.step <= steps);
  }

  /** Calls with this key since the last other call that may have changed something. */
  since(key: string): readonly LedgerCall[] {
    const from = this.#rows.findLastIndex((row) => row.moves && row.key !== key);
    return this.#rows.slice(from + 1).filter((row) => row.key === key);
  }

  #result(message: ToolResultMessage): LedgerCall[] {
    const call = this.#open.get(message.toolCallId);
    if (!call) return [];
    this.#open.delete(call.id);
    const { intent, meta } = (message.details ?? {}) as Details;
    const row: LedgerCall = {
      key: keyOf(call),
      call,
      effect: intent?.effect ?? "read",
      failed: message.isError,
      result: digest(message.content.map((part) => (part.type === "text" ? part.text : part.data)).join("\n")),
      step: this.#step,
      moves: false,
      wrote: intent?.write ?? [],
      repeat: meta?.repeat === true,
    };
    const known = `${row.key} ${row.result}`;
    // A command with a known answer has most likely changed nothing.
    const looks = this.#looked.delete(call.id);
    row.moves = !row.failed && !looks && (row.effect === "write" || (row.effect === "exec" && !this.#seen.has(known)));
    this.#seen.add(known);
    return [row];
  }
}

interface Details {
  intent?: { effect?: string; write?: readonly string[] };
  meta?: Meta;
}

/** True for an entry after which earlier answers no longer hold. */
const forgets = (entry: Entry): boolean =>
  entry.type === "compaction" ||
  entry.type === "context_edit" ||
  (entry.type === "message" && entry.message.role === "user");

/** The key of a call; the order of its arguments does not count. */
const keyOf = ({ name, arguments: input, rawArguments }: ToolCall): string =>
  `${name} ${rawArguments ?? inOrder(input)}`;

const inOrder = (input: ToolCall["arguments"]): string =>
  Object.values(input).every((value) => typeof value !== "object" || value === null)
    ? JSON.stringify(input, Object.keys(input).sort())
    : JSON.stringify(input, (_, value) => sorted(value));

const sorted = (value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** A digest of a result, without times and repeated arguments. */
const digest = (text: string): string => {
  const plain = text.replace(/^Received: .*$|\d+(?:\.\d+)?\s?m?s\b|\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?/gm, "");
  return `${plain.length} ${plain.length > 4000 ? plain.slice(0, 2000) + plain.slice(-2000) : plain}`;
};
