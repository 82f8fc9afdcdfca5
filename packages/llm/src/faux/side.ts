import type { Purpose } from "../message/stream.ts";
import type { ScriptPosition } from "./position.ts";
import type { Script, Turn } from "./script.ts";

/**
 * Side answers of a script: a list advances with every request of its purpose and stays at its last answer. The
 * position is lost with the process, since requests do not carry it.
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

/** Answer where the script has none. */
const usual = "The script says nothing of this.";
