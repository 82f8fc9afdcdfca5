import { type Stats, statSync } from "node:fs";

/** Asks something of a path; the answer is another text where what is made of it may be another thing. */
export type Question = (path: string) => string;

/** A folder that was listed within this time may change once more without another time: some disks count by two seconds. */
const youngMs = 2500;

/** What was asked of the disk to make something, and what it said. As long as it says the same, that stands. */
export class Witness {
  readonly #answers = new Map<string, { ask: Question; path: string; said: string }>();
  #young = false;

  note(ask: Question, path: string): void {
    const key = `${ask.name}:${path}`;
    if (!this.#answers.has(key)) this.#answers.set(key, { ask, path, said: ask(path) });
    if (ask === listed) this.#young ||= Date.now() - (seen(path)?.mtimeMs ?? 0) < youngMs;
  }

  holds(): boolean {
    if (this.#young) return false;
    for (const { ask, path, said } of this.#answers.values()) if (ask(path) !== said) return false;
    return true;
  }
}

/** Whether it is there. */
export const there: Question = (path) => (statOf(path) === undefined ? "" : "there");

/** Which state of a file it is; with its rights. */
export const stamped: Question = (path) => {
  const stat = statOf(path);
  if (stat === undefined || stat === "a circle") return stat ?? "";
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
};

/** Which names a folder holds. */
export const listed: Question = (path) => stamped(path);

/** Whom it belongs to, and who may write to it. */
export const owned: Question = (path) => {
  const stat = seen(path);
  return stat ? `${stat.uid}:${stat.mode}` : "";
};

/** What is known of a path; of links that lead to themselves, that they do. */
export function statOf(path: string): Stats | "a circle" | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ELOOP" ? "a circle" : undefined;
  }
}

export function seen(path: string): Stats | undefined {
  const stat = statOf(path);
  return stat === "a circle" ? undefined : stat;
}
