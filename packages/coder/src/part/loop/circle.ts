import { shorten } from "@pith/kit";
import type { Ledger, LedgerCall } from "./ledger.ts";

/** Failures of one call, steps without news, returns of a file to an old state, and equal answers to a poll. */
const limits = { failures: 3, steps: 8, returns: 2, polls: 30 };

/** A way in which a model goes in circles. */
export interface Circle {
  what: string;
  /** The calls that were tried, each once. */
  tried: readonly string[];
}

/** True for a call that waits for something, which is no circle. */
const waits = (row: LedgerCall): boolean =>
  isJob(row) || /^\s*(?:sleep|wait)\b/.test(String(row.call.arguments.command ?? ""));
const isJob = (row: LedgerCall): boolean => row.call.name === "job";

/** Finds circles in the calls of a turn. After a report, counting begins anew. */
export class CircleDetector {
  /** Results of this turn, with their calls and alone. */
  readonly #seen = new Set<string>();
  /** Occurrences of each answer since the last news. */
  readonly #polls = new Map<string, number>();
  /** The states of each file, in their order. */
  readonly #states = new Map<string, string[]>();
  #idle = 0;
  #steps = 0;
  /** Calls that were looked at. */
  #at = 0;
  /** Calls up to the last report. */
  #from = 0;
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Looks at new calls; `state` gives the states of the files that a call wrote. */
  look(state: (row: LedgerCall) => readonly (readonly [path: string, state: string])[]): Circle | undefined {
    const rows = this.#ledger.rows.slice(this.#at);
    this.#at = this.#ledger.rows.length;
    if (rows.length === 0) return undefined;
    let returned: string | undefined;
    let news = rows.every(waits) ? 1 : 0;
    for (const row of rows) {
      const back = row.effect === "write" && !row.failed ? this.#putBack(state(row)) : undefined;
      const brought = back ? (back.length === 0 ? 1 : 0) : this.#news(row);
      returned ??= back?.find((path) => this.#returns(path) >= limits.returns);
      news = Math.max(news, brought);
      if (brought === 1) this.#polls.clear();
      else if (!isJob(row)) this.#polls.set(pollOf(row), (this.#polls.get(pollOf(row)) ?? 0) + 1);
    }
    this.#idle = news === 1 ? 0 : this.#idle + 1 - news;
    this.#steps = news === 1 ? 0 : this.#steps + 1;
    return this.#circle(rows, returned);
  }

  /** The files that are in an earlier state again. */
  #putBack(states: readonly (readonly [path: string, state: string])[]): string[] {
    return states.flatMap(([path, now]) => (this.#enter(path, now) ? [] : [path]));
  }

  /** 1 if a call brought news, 0.5 if another call gave a known result, else 0. */
  #news(row: LedgerCall): number {
    const known = pollOf(row);
    const news = this.#seen.has(known) ? 0 : acts(row) || !this.#seen.has(row.result) ? 1 : 0.5;
    this.#seen.add(known).add(row.result);
    return news;
  }

  #circle(rows: readonly LedgerCall[], returned: string | undefined): Circle | undefined {
    const failing = rows.find((row) => row.failed && !waits(row) && this.#failures(row) >= limits.failures);
    const polled = rows.some((row) => (this.#polls.get(pollOf(row)) ?? 0) >= limits.polls);
    const what = failing
      ? `the same call has failed ${this.#failures(failing)} times, with nothing changed in between`
      : returned !== undefined
        ? `${returned} was changed to and fro between the same states`
        : this.#idle >= limits.steps
          ? `${this.#steps} steps in a row have brought nothing new`
          : polled
            ? `the same was asked ${limits.polls} times and the same came of it`
            : undefined;
    if (what === undefined) return undefined;
    const since = this.#ledger.rows.slice(this.#from);
    this.#from = this.#ledger.rows.length;
    this.#idle = this.#steps = 0;
    this.#polls.clear();
    if (returned !== undefined) this.#states.delete(returned);
    return { what, tried: [...new Set(since.map(brief))].slice(-6) };
  }

  /** Counts failures since the last report or wait. */
  #failures(row: LedgerCall): number {
    const { rows } = this.#ledger;
    const from = Math.max(this.#from, rows.findLastIndex((one) => waits(one)) + 1);
    return this.#ledger.since(row.key).filter((one) => one.failed && rows.indexOf(one) >= from).length;
  }

  /** Notes the state of a file; true if it is new. */
  #enter(path: string, now: string): boolean {
    const states = this.#states.get(path) ?? [];
    const isNew = !states.includes(now);
    if (states.at(-1) !== now) this.#states.set(path, [...states, now].slice(-20));
    return isNew;
  }

  /** Counts the returns of a file to an earlier state. */
  #returns(path: string): number {
    const states = this.#states.get(path) ?? [];
    return states.filter((state, at) => states.indexOf(state) < at).length;
  }
}

/** True for a call that did something, so that an equal answer means nothing. */
const acts = ({ moves, failed, effect, call }: LedgerCall): boolean =>
  moves || (!failed && (call.name === "ask" || (effect !== "read" && effect !== "exec")));

const pollOf = ({ key, result }: LedgerCall): string => `${key} ${result}`;

const brief = ({ call, failed }: LedgerCall): string =>
  `- ${call.name} ${shorten(JSON.stringify(call.arguments), 120)}${failed ? " (failed)" : ""}`;
