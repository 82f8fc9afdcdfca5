import { perTurn, type Settled, type TurnView } from "@pith/agent";
import { recordOf } from "@pith/kit";
import { type AssistantMessage, describeCalls, taskComplete } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";
import { type Nudge, nudgeDraft } from "./nudge.ts";

export type CompletionNeeds = "channel" | "ledgers" | "settings" | "tree" | "undo";

/** Calls that are listed for a turn without a final text. */
const mostListed = 6;

/** Decides how a turn goes on when the model has stopped. */
export class Completion {
  readonly #hall: Pick<Hall, CompletionNeeds>;
  readonly #turn = perTurn(() => ({ nudges: 0, calls: 0, askedForWords: false }));

  constructor(hall: Pick<Hall, CompletionNeeds>) {
    this.#hall = hall;
  }

  async settle(turn: TurnView, reply: AssistantMessage): Promise<Settled> {
    const now = this.#turn(turn);
    const calls = this.#hall.ledgers.of(turn).rows.length;
    // New calls since the last nudge allow another one.
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
    const rows = this.#hall.ledgers.of(turn).rows.slice(-mostListed);
    const list = rows.length > 0 ? ` In its place: ${describeCalls(rows.map(({ call }) => call))}.` : "";
    this.#tell(`The model ended without a word.${list}`);
    return done;
  }

  #tell(text: string): void {
    this.#hall.channel.notify({ level: "warn", text });
  }

  /** True when the task asks for a change (see `dispatch`), and none was made. */
  async #isWriteDue(turn: TurnView): Promise<boolean> {
    const { tree, ledgers, settings, undo } = this.#hall;
    const task = recordOf(tree.lastCustom("pith.task")?.data);
    if (task.turn !== turn.id || task.needsWrite !== true) return false;
    const { rows } = ledgers.of(turn);
    if (rows.some(({ effect, failed }) => effect === "write" && !failed)) return false;
    // Commands may have written, too.
    if (!rows.some(({ effect }) => effect === "exec")) return true;
    const kept = settings.get("undo.enabled") ? await undo().catch(() => undefined) : undefined;
    if (!kept) return !rows.some(({ moves }) => moves);
    await kept.settle();
    const changed = kept.turn(turn.id);
    return !changed || kept.changes(changed).every(({ before, after }) => before?.is === "dir" || after?.is === "dir");
  }

  /** True when the model has written text since its last call. */
  #hasWords(): boolean {
    for (const entry of this.#hall.tree.back()) {
      if (entry.type !== "message") continue;
      const { message } = entry;
      if (message.role === "user" || message.role === "toolResult") return false;
      if (message.role === "assistant" && message.content.some(isText)) return true;
    }
    return false;
  }
}

const done: Settled = { do: "done" };
const goOn = (kind: Nudge): Settled => ({ do: "go on", note: [nudgeDraft(kind)] });

const isText = (part: AssistantMessage["content"][number]): boolean => part.type === "text" && part.text.trim() !== "";
