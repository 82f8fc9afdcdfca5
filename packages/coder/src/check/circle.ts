import type { Ledger, Row } from "./ledger.ts";

/** How often the same call may fail, how many steps may bring nothing new, how often a file may be put back. */
const bounds = { failures: 3, steps: 8, returns: 2 };

/** A way in which a model goes in circles, in words. */
export interface Circle {
  what: string;
  /** What was tried, each once. */
  tried: readonly string[];
}

/** Waiting for something is no circle. */
const waits = (row: Row): boolean =>
  row.call.name === "job" || /^\s*(?:sleep|wait)\b/.test(String(row.call.arguments.command ?? ""));

/** Looks at each step whether it brought something new. What was told once begins to count anew. */
export class Circles {
  /** Results of this turn by what was asked. */
  readonly #seen = new Set<string>();
  /** Of each file the states it was in, in their order. */
  readonly #states = new Map<string, string[]>();
  #idle = 0;
  /** What was looked at. */
  #at = 0;
  /** What was told. */
  #from = 0;
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Looks at what is new; `state` tells what stands in the files that a call wrote. */
  look(state: (row: Row) => readonly (readonly [path: string, state: string])[]): Circle | undefined {
    const rows = this.#ledger.rows.slice(this.#at);
    this.#at = this.#ledger.rows.length;
    if (rows.length === 0) return undefined;
    let returned: string | undefined;
    let fresh = rows.every(waits);
    for (const row of rows) {
      const known = `${row.key} ${row.result}`;
      if (row.effect === "write" && !row.failed) {
        const back = state(row).flatMap(([path, now]) => (this.#enter(path, now) ? [] : [path]));
        if (back.length === 0) fresh = true;
        returned ??= back.find((path) => this.#returns(path) >= bounds.returns);
      } else if (!this.#seen.has(known)) fresh = true;
      this.#seen.add(known);
    }
    this.#idle = fresh ? 0 : this.#idle + 1;
    return this.#circle(rows, returned);
  }

  #circle(rows: readonly Row[], returned: string | undefined): Circle | undefined {
    const failing = rows.find((row) => row.failed && !waits(row) && this.#failures(row) >= bounds.failures);
    const what = failing
      ? `the same call has failed ${this.#failures(failing)} times, with nothing changed in between`
      : returned !== undefined
        ? `${returned} was changed to and fro between the same states`
        : this.#idle >= bounds.steps
          ? `${this.#idle} steps in a row have brought nothing new`
          : undefined;
    if (what === undefined) return undefined;
    const since = this.#ledger.rows.slice(this.#from);
    this.#from = this.#ledger.rows.length;
    this.#idle = 0;
    if (returned !== undefined) this.#states.delete(returned);
    return { what, tried: [...new Set(since.map(brief))].slice(-6) };
  }

  #failures = (row: Row): number =>
    this.#ledger.since(row.key).filter((one) => one.failed && this.#ledger.rows.indexOf(one) >= this.#from).length;

  /** Whether a file is in a state that it was not in before. */
  #enter(path: string, now: string): boolean {
    const states = this.#states.get(path) ?? [];
    const isNew = !states.includes(now);
    if (states.at(-1) !== now) this.#states.set(path, [...states, now].slice(-20));
    return isNew;
  }

  /** How often it has come back to a state. */
  #returns(path: string): number {
    const states = this.#states.get(path) ?? [];
    return states.filter((state, at) => states.indexOf(state) < at).length;
  }
}

const brief = ({ call, failed }: Row): string => {
  const said = JSON.stringify(call.arguments);
  return `- ${call.name} ${said.length > 120 ? `${said.slice(0, 120)}…` : said}${failed ? " (failed)" : ""}`;
};
