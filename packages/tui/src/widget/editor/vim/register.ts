export interface RegisterText {
  readonly text: string;
  readonly lines: boolean;
}

/**
 * What was taken or copied, by name: `"` the last, `0` the last copied, letters as asked for (capitals add to them),
 * `_` nothing.
 */
export interface Registers {
  keep(name: string | undefined, held: RegisterText, how: "yank" | "delete"): void;
  read(name: string | undefined): RegisterText;
}

export function createRegisters(): Registers {
  const all = new Map<string, RegisterText>();
  return {
    keep(name = '"', held, how) {
      if (name === "_") return;
      const letter = name.toLowerCase();
      const old = letter === name ? undefined : all.get(letter);
      const lines = held.lines || old?.lines === true;
      const whole = old ? { text: `${old.text}${lines ? "\n" : ""}${held.text}`, lines } : held;
      all.set('"', whole);
      all.set(letter, whole);
      if (name === '"' && how === "yank") all.set("0", held);
    },
    read: (name = '"') => all.get(name.toLowerCase()) ?? { text: "", lines: false },
  };
}
