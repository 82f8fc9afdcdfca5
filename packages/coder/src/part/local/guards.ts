import type { Hook, Hooks, TurnView } from "@pith/agent";
import { fill } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import notRun from "./not-run.md" with { type: "text" };
import repeated from "./repeated.md" with { type: "text" };

/** Calls in one reply that are too many, and those that are not run. */
export const manyCalls = 8;
const mostCalls = 15;

/** Steps for which an answer holds. */
const steps = 2;

type Needs = "ledgers" | "settings" | "tools";

/**
 * Guards for small models: of a reply with very many calls only the first are run, and a call that only looks gets a
 * note, if the same call was answered shortly before and nothing has changed.
 */
export const localGuards: MakePart<Needs> = (hall) => ({ name: "local guards", hooks: [new Guards(hall)] });

class Guards implements Hook {
  readonly name = "local guards";
  readonly #hall: Pick<Hall, Needs>;
  #turn: TurnView | undefined;

  constructor(hall: Pick<Hall, Needs>) {
    this.#hall = hall;
  }

  step(turn: TurnView): void {
    this.#turn = turn;
  }

  call: Hooks["call"] = ({ call, intent, place: { at, of }, tool }) => {
    const { settings, ledgers, tools } = this.#hall;
    if (!settings.get("local.guards")) return { do: "allow" };
    if (at >= mostCalls) return { do: "deny", reason: fill(notRun, { most: mostCalls, place: at + 1 }).trim() };
    if (!this.#turn || !tool.looks || intent.effect !== "read") return { do: "allow" };
    const before = of.slice(0, at);
    // Another call of the same reply may change something.
    if (!before.every(({ name }) => tools.get(name)?.looks)) return { do: "allow" };
    const ledger = ledgers.of(this.#turn);
    if (!before.some((other) => ledger.isSame(other, call)) && !ledger.holds(call, steps)) return { do: "allow" };
    return { do: "replace", outcome: { kind: "prose", data: {}, text: repeated.trim(), meta: { repeat: true } } };
  };
}
