import { type Stats, statSync } from "node:fs";
import { codeOf } from "@pith/kit";

/** The state of a path; undefined when it is not there, `"a loop"` for links that lead to themselves. */
export type StatResult = Stats | "a loop" | undefined;

/** Turns what the system says of a path into a text. Another text means that what was made of the path is outdated. */
export type StatQuestion = (stat: StatResult) => string;

/** Some disks count times by two seconds, so a folder listed this soon after a change may change without a new time. */
const youngMs = 2500;

/** Paths that something was made of. It is current as long as the system says the same of all of them. */
export class Dependencies {
  readonly #answers = new Map<string, { ask: StatQuestion; path: string; answer: string }>();
  #hasYoung = false;

  /** `stat` must not be newer than what the caller uses of the path. */
  add(ask: StatQuestion, path: string, stat: StatResult): void {
    const key = `${ask.name}:${path}`;
    if (!this.#answers.has(key)) this.#answers.set(key, { ask, path, answer: ask(stat) });
    if (ask === listed && stat !== "a loop") this.#hasYoung ||= Date.now() - (stat?.mtimeMs ?? 0) < youngMs;
  }

  areCurrent(): boolean {
    if (this.#hasYoung) return false;
    for (const { ask, path, answer } of this.#answers.values()) if (ask(statOf(path)) !== answer) return false;
    return true;
  }
}

/** Asks whether a path is there. */
export const there: StatQuestion = (stat) => (stat === undefined ? "" : "there");

/** Asks for the state of a file, with its rights. */
export const stamped: StatQuestion = (stat) => {
  if (stat === undefined || stat === "a loop") return stat ?? "";
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
};

/** Asks which names a folder holds. */
export const listed: StatQuestion = (stat) => stamped(stat);

/** Asks for the owner, and who may write. */
export const owned: StatQuestion = (stat) => (stat && stat !== "a loop" ? `${stat.uid}:${stat.mode}` : "");

export function statOf(path: string): StatResult {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return codeOf(error) === "ELOOP" ? "a loop" : undefined;
  }
}
