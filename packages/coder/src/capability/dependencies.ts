import { type Stats, statSync } from "node:fs";

/** What is known of a path; of links that lead to themselves, that they do. */
export type Known = Stats | "a circle" | undefined;

/** Asks something of what is known; the answer is another text where what is made of it may be another thing. */
export type Question = (known: Known) => string;

/** A folder that was listed within this time may change once more without another time: some disks count by two seconds. */
const youngMs = 2500;

/** What was asked of the disk to make something, and what it said. As long as it says the same, that stands. */
export class Witness {
  readonly #answers = new Map<string, { ask: Question; path: string; said: string }>();
  #young = false;

  /** `known` is what is made use of, or older. */
  note(ask: Question, path: string, known: Known): void {
    const key = `${ask.name}:${path}`;
    if (!this.#answers.has(key)) this.#answers.set(key, { ask, path, said: ask(known) });
    if (ask === listed && known !== "a circle") this.#young ||= Date.now() - (known?.mtimeMs ?? 0) < youngMs;
  }

  holds(): boolean {
    if (this.#young) return false;
    for (const { ask, path, said } of this.#answers.values()) if (ask(statOf(path)) !== said) return false;
    return true;
  }
}

/** Whether it is there. */
export const there: Question = (known) => (known === undefined ? "" : "there");

/** Which state of a file it is; with its rights. */
export const stamped: Question = (known) => {
  if (known === undefined || known === "a circle") return known ?? "";
  return `${known.dev}:${known.ino}:${known.size}:${known.mtimeMs}:${known.ctimeMs}`;
};

/** Which names a folder holds. */
export const listed: Question = (known) => stamped(known);

/** Whom it belongs to, and who may write to it. */
export const owned: Question = (known) => (known && known !== "a circle" ? `${known.uid}:${known.mode}` : "");

export function statOf(path: string): Known {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ELOOP" ? "a circle" : undefined;
  }
}
