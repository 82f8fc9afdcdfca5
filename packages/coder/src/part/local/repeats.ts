import type { Hook, TurnView, Verdict } from "@pith/agent";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import repeated from "./repeated.md" with { type: "text" };

/** For how many steps a look is remembered. */
const steps = 2;

type Needs = "ledgers" | "settings" | "tools";

/** Who looks at the same thing once more, with nothing changed in between, is told that it was answered. */
export const repeats: MakePart<Needs> = (hall) => ({ name: "repeats", hooks: [new Repeats(hall)] });

class Repeats implements Hook {
  readonly name = "repeats";
  readonly #hall: Pick<Hall, Needs>;
  #turn: TurnView | undefined;

  constructor(hall: Pick<Hall, Needs>) {
    this.#hall = hall;
  }

  step(turn: TurnView): { do: "go" } {
    this.#turn = turn;
    return { do: "go" };
  }

  call: NonNullable<Hook["call"]> = ({ call, intent, place, tool }): Verdict => {
    const { settings, ledgers, tools } = this.#hall;
    if (!this.#turn || !tool.looks || intent.effect !== "read" || !settings.get("local.guards")) return allow;
    const before = place.of.slice(0, place.at);
    // What another call of the same reply does is not known yet.
    if (!before.every(({ name }) => tools.get(name)?.looks)) return allow;
    const ledger = ledgers.of(this.#turn);
    if (!before.some((other) => ledger.isSame(other, call)) && !ledger.holds(call, steps)) return allow;
    return {
      do: "replace",
      outcome: { kind: "prose", data: {}, text: repeated.trim(), meta: { repeat: true } },
    };
  };
}

const allow: Verdict = { do: "allow" };
