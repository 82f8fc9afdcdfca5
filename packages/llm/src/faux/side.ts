import type { Purpose } from "../message/stream.ts";
import type { ScriptPosition } from "./position.ts";
import type { Script, Turn } from "./script.ts";

/**
 * What a script answers beside its turns: a list goes on with every request of its purpose, and its last answer stays.
 * Forgotten with the process: nothing in a request tells how often its like was asked.
 */
export class SideAnswers {
  readonly #answers: NonNullable<Script["side"]>;
  readonly #asked = new Map<string, number>();

  constructor(answers: Script["side"] = {}) {
    this.#answers = answers;
  }

  next(purpose: Exclude<Purpose, "main">): ScriptPosition {
    const step = (this.#asked.get(purpose) ?? 0) + 1;
    this.#asked.set(purpose, step);
    const said = this.#answers[purpose] ?? usual;
    const turns = (Array.isArray(said) ? said : [said]).map(
      (turn): Turn => (typeof turn === "string" ? { text: turn } : turn),
    );
    const played = turns.flatMap((turn) => Array.from({ length: turn.repeat ?? 1 }, () => turn));
    return { turn: played[Math.min(step, played.length) - 1] ?? { text: usual }, name: `side.${purpose}`, step };
  }
}

/** What is said where a script says nothing. */
const usual = "The script says nothing of this.";
