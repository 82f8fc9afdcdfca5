import { type Entry, perTurn, type Settled, type TurnView, textOf } from "@pith/agent";
import { type AssistantMessage, describeCalls, taskComplete } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";
import { type Nudge, nudgeDraft } from "./nudge.ts";

export type CompletionNeeds = "channel" | "ledgers" | "settings" | "tree" | "undo";

/** Of how many calls a turn without words is told. */
const mostTold = 6;

/** What becomes of a turn in which the model has stopped. */
export class Completion {
  readonly #hall: Pick<Hall, CompletionNeeds>;
  readonly #turn = perTurn(() => ({ nudges: 0, calls: 0, askedForWords: false }));

  constructor(hall: Pick<Hall, CompletionNeeds>) {
    this.#hall = hall;
  }

  async settle(turn: TurnView, reply: AssistantMessage): Promise<Settled> {
    const now = this.#turn(turn);
    const calls = this.#hall.ledgers.of(turn).rows.length;
    // Who has called something since gets another chance.
    if (calls > now.calls) Object.assign(now, { nudges: 0, calls });
    const due = await this.#isWriteDue(turn);
    const finished = reply.rawStopReason === taskComplete && !due;
    if (!finished && !now.askedForWords && now.nudges < (due ? 2 : 1)) {
      now.nudges++;
      return goOn(due ? "write" : "nudge");
    }
    if (due && !now.askedForWords) this.#tell("The task seems to ask for a change, and no file was changed.");
    if (this.#hasWords()) return done;
    if (!now.askedForWords) {
      now.askedForWords = true;
      return goOn("words");
    }
    const rows = this.#hall.ledgers.of(turn).rows.slice(-mostTold);
    const told = rows.length > 0 ? ` In its place: ${describeCalls(rows.map(({ call }) => call))}.` : "";
    this.#tell(`The model ended without a word.${told}`);
    return done;
  }

  #tell(text: string): void {
    this.#hall.channel.notify({ level: "warn", text });
  }

  /** Somebody found that the task asks for a change, and there is none. */
  async #isWriteDue(turn: TurnView): Promise<boolean> {
    const { tree, ledgers, settings, undo } = this.#hall;
    const task = (tree.lastCustom("pith.task")?.data ?? {}) as { turn?: unknown; needsWrite?: unknown };
    if (task.turn !== turn.id || task.needsWrite !== true) return false;
    const { rows } = ledgers.of(turn);
    if (rows.some(({ effect, failed }) => effect === "write" && !failed)) return false;
    // A command may have written, too.
    if (!rows.some(({ effect }) => effect === "exec")) return true;
    const kept = settings.get("undo.enabled") ? await undo().catch(() => undefined) : undefined;
    if (!kept) return !rows.some(({ moves }) => moves);
    await kept.settle();
    const changed = kept.turn(turn.id);
    return !changed || kept.changes(changed).every(({ before, after }) => before?.is === "dir" || after?.is === "dir");
  }

  /** Whether the model has said something since its last call. */
  #hasWords(): boolean {
    for (const entry of this.#hall.tree.back()) {
      if (isInputOrResult(entry)) return false;
      if (entry.type === "message" && entry.message.role === "assistant" && saidBy(entry.message) !== "") return true;
    }
    return false;
  }
}

const done: Settled = { do: "done" };
const goOn = (kind: Nudge): Settled => ({ do: "go on", note: [nudgeDraft(kind)] });

const isInputOrResult = (entry: Entry): boolean =>
  entry.type === "message" && (entry.message.role === "user" || entry.message.role === "toolResult");

const saidBy = ({ content }: AssistantMessage): string =>
  textOf(content.flatMap((part) => (part.type === "text" ? [part] : []))).trim();
