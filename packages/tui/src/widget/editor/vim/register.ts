export interface RegisterText {
  readonly text: string;
  readonly lines: boolean;
}

/**
 * Texts by register: `"` is the last one, `0` the last yank; a capital letter appends to its register, `_` keeps
 * nothing.
 */
export class Registers {
  readonly #texts = new Map<string, RegisterText>();

  keep(name = '"', held: RegisterText, how: "yank" | "delete"): void {
    if (name === "_") return;
    const letter = name.toLowerCase();
    const old = letter === name ? undefined : this.#texts.get(letter);
    const lines = held.lines || old?.lines === true;
    const whole = old ? { text: `${old.text}${lines ? "\n" : ""}${held.text}`, lines } : held;
    this.#texts.set('"', whole);
    this.#texts.set(letter, whole);
    if (name === '"' && how === "yank") this.#texts.set("0", held);
  }

  read(name = '"'): RegisterText {
    return this.#texts.get(name.toLowerCase()) ?? { text: "", lines: false };
  }
}
