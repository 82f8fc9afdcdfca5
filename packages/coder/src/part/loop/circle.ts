import { shorten } from "@pith/kit";
import type { Ledger, Row } from "./ledger.ts";

/**
 * How often the same call may fail, how many steps may bring nothing new, how often a file may be put back, and how
 * often what waits may be told the same.
 */
const bounds = { failures: 3, steps: 8, returns: 2, polls: 30 };

/** A way in which a model goes in circles, in words. */
export interface Circle {
  what: string;
  /** What was tried, each once. */
  tried: readonly string[];
}

/** Waiting for something is no circle; a job ends by itself, or a person ends it. */
const waits = (row: Row): boolean =>
  isJob(row) || /^\s*(?:sleep|wait)\b/.test(String(row.call.arguments.command ?? ""));
const isJob = (row: Row): boolean => row.call.name === "job";

/** Looks at each step whether it brought something new. What was told once begins to count anew. */
export class Circles {
  /** Results of this turn by what was asked, and by themselves. */
  readonly #seen = new Set<string>();
  /** What came how often since something new did. */
  readonly #polls = new Map<string, number>();
  /** Of each file the states it was in, in their order. */
  readonly #states = new Map<string, string[]>();
  #idle = 0;
  #steps = 0;
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
    let news = rows.every(waits) ? 1 : 0;
    for (const row of rows) {
      const back = row.effect === "write" && !row.failed ? this.#putBack(state(row)) : undefined;
      const brought = back ? (back.length === 0 ? 1 : 0) : this.#news(row);
      returned ??= back?.find((path) => this.#returns(path) >= bounds.returns);
      news = Math.max(news, brought);
      if (brought === 1) this.#polls.clear();
      else if (!isJob(row)) this.#polls.set(pollOf(row), (this.#polls.get(pollOf(row)) ?? 0) + 1);
    }
    this.#idle = news === 1 ? 0 : this.#idle + 1 - news;
    this.#steps = news === 1 ? 0 : this.#steps + 1;
    return this.#circle(rows, returned);
  }

  /** The files that are in a state that they were in before. */
  #putBack(states: readonly (readonly [path: string, state: string])[]): string[] {
    return states.flatMap(([path, now]) => (this.#enter(path, now) ? [] : [path]));
  }

  /** Whether a call brought something new: half, where another was asked and the same came of it. */
  #news(row: Row): number {
    const known = pollOf(row);
    const news = this.#seen.has(known) ? 0 : acts(row) || !this.#seen.has(row.result) ? 1 : 0.5;
    this.#seen.add(known).add(row.result);
    return news;
  }

  #circle(rows: readonly Row[], returned: string | undefined): Circle | undefined {
    const failing = rows.find((row) => row.failed && !waits(row) && this.#failures(row) >= bounds.failures);
    const polled = rows.some((row) => (this.#polls.get(pollOf(row)) ?? 0) >= bounds.polls);
    const what = failing
      ? `the same call has failed ${this.#failures(failing)} times, with nothing changed in between`
      : returned !== undefined
        ? `${returned} was changed to and fro between the same states`
        : this.#idle >= bounds.steps
          ? `${this.#steps} steps in a row have brought nothing new`
          : polled
            ? `the same was asked ${bounds.polls} times and the same came of it`
            : undefined;
    if (what === undefined) return undefined;
    const since = this.#ledger.rows.slice(this.#from);
    this.#from = this.#ledger.rows.length;
    this.#idle = this.#steps = 0;
    this.#polls.clear();
    if (returned !== undefined) this.#states.delete(returned);
    return { what, tried: [...new Set(since.map(brief))].slice(-6) };
  }

  /** Since it was told last, or something was waited for. */
  #failures(row: Row): number {
    const { rows } = this.#ledger;
    const from = Math.max(this.#from, rows.findLastIndex((one) => waits(one)) + 1);
    return this.#ledger.since(row.key).filter((one) => one.failed && rows.indexOf(one) >= from).length;
  }

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

/** It did something, or a person did: that the same was said of it tells nothing. */
const acts = ({ moves, failed, effect, call }: Row): boolean =>
  moves || (!failed && (call.name === "ask" || (effect !== "read" && effect !== "exec")));

const pollOf = ({ key, result }: Row): string => `${key} ${result}`;

const brief = ({ call, failed }: Row): string => {
  const said = JSON.stringify(call.arguments);
  return `- ${call.name} ${shorten(said, 120)}${failed ? " (failed)" : ""}`;
};
