import { writeFileSync } from "node:fs";
import { carryIn, carryOut } from "./carry.ts";
import { type State, stateOf } from "./state.ts";

/** On which side of the wall a command runs. */
export type Side = "open" | "walled";

/**
 * The states of a session's shell on both sides of the wall. Whoever enters one side begins with what it left there
 * and what may come through from the other since.
 */
export class Sides {
  readonly #name: () => string;
  /** What each side has come to, and how much of that the other knows. */
  readonly #now: Record<Side, State>;
  readonly #known: Record<Side, State>;
  #newest: Side = "open";

  /** `name` is for a new file. */
  constructor(first: State, name: () => string) {
    this.#name = name;
    this.#now = { open: first, walled: first };
    this.#known = { open: first, walled: first };
    for (let times = 0; times < 4; times++) first.hold();
  }

  /** What the last command has left. */
  get newest(): State {
    return this.#now[this.#newest];
  }

  at(side: Side): State {
    return this.#now[side];
  }

  /** What the next command on this side begins with, where that is known already. */
  settled(side: Side): State | undefined {
    const other = otherOf(side);
    return this.#now[other] === this.#known[other] ? this.#now[side] : undefined;
  }

  enter(side: Side): State {
    const other = otherOf(side);
    const [mine, theirs, before] = [this.#now[side], this.#now[other], this.#known[other]];
    if (theirs === before) return mine;
    const file = this.#name();
    const carry = side === "walled" ? carryIn : carryOut;
    writeFileSync(file, carry(mine.file, before.file, theirs.file), { encoding: "latin1", mode: 0o600 });
    const changed = theirs.options.join() !== before.options.join();
    const options = side === "walled" && changed ? theirs.options : mine.options;
    const state = stateOf({ file, cwd: theirs.cwd, options });
    if (mine === this.#known[side]) this.#put(this.#known, side, state);
    this.#put(this.#now, side, state);
    this.#put(this.#known, other, theirs);
    return state;
  }

  leave(side: Side, state: State): void {
    this.#newest = side;
    this.#put(this.#now, side, state);
  }

  /** A file stays for as long as something is compared with it. */
  #put(slots: Record<Side, State>, side: Side, state: State): void {
    const before = slots[side];
    if (before === state) return;
    state.hold();
    state.retire();
    slots[side] = state;
    before.release();
  }
}

const otherOf = (side: Side): Side => (side === "open" ? "walled" : "open");
