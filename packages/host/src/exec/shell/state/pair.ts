import { writeFileSync } from "node:fs";
import { definitionsOf, type ShellDefinitions } from "./definitions.ts";
import { changedExports, differs, type ShellState, stateOf } from "./state.ts";
import { transferIn, transferOut } from "./transfer.ts";

/** On which side of the wall a command runs. */
export type SandboxSide = "outside" | "inside";

/** How a command ended, and what it left. */
export interface Left {
  code: number;
  /** Undefined where it was known to leave nothing. */
  state: Pick<ShellState, "file" | "options" | "cwd"> | undefined;
  ranIn: string;
  /** Where the session is. */
  cwd: string;
}

export interface StatePairOptions {
  /** The name of a new file. */
  name(): string;
  /** What a path behind the wall is called outside, where it is there too. */
  outside(path: string): string | undefined;
}

/**
 * The states of a session's shell on both sides of the wall. Whoever enters one side begins with what it left there
 * and what may come through from the other since.
 */
export class StatePair {
  readonly #options: StatePairOptions;
  readonly #first: ShellState;
  /** What each side has come to, and how much of that the other knows. */
  readonly #now: Record<SandboxSide, ShellState>;
  readonly #known: Record<SandboxSide, ShellState>;
  #newest: SandboxSide = "outside";
  #status = 0;

  constructor(first: ShellState, options: StatePairOptions) {
    this.#options = options;
    this.#first = first;
    this.#now = { outside: first, inside: first };
    this.#known = { outside: first, inside: first };
    for (let times = 0; times < 4; times++) first.hold();
  }

  /** What the last command has left. */
  get newest(): ShellState {
    return this.#now[this.#newest];
  }

  /** How the last command ended. */
  get status(): number {
    return this.#status;
  }

  /** The exported variables that commands have set, changed or taken away. */
  changedExports(): string[] {
    return changedExports(this.#first, this.newest);
  }

  memory(side: SandboxSide): ShellDefinitions {
    return definitionsOf(this.#first, [this.#now[side], this.newest]);
  }

  at(side: SandboxSide): ShellState {
    return this.#now[side];
  }

  /** What the next command on this side begins with, where that is known already. */
  settled(side: SandboxSide): ShellState | undefined {
    const other = otherOf(side);
    return this.#now[other] === this.#known[other] ? this.#now[side] : undefined;
  }

  enter(side: SandboxSide): ShellState {
    const other = otherOf(side);
    const [mine, theirs, before] = [this.#now[side], this.#now[other], this.#known[other]];
    if (theirs === before) return mine;
    const file = this.#options.name();
    const carry = side === "inside" ? transferIn : transferOut;
    writeFileSync(file, carry(mine.file, before.file, theirs.file), { encoding: "latin1", mode: 0o600 });
    const changed = theirs.options.join() !== before.options.join();
    const options = side === "inside" && changed ? theirs.options : mine.options;
    const state = stateOf({ file, cwd: theirs.cwd, options });
    if (mine === this.#known[side]) this.#put(this.#known, side, state);
    this.#put(this.#now, side, state);
    this.#put(this.#known, other, theirs);
    return state;
  }

  /** What a command has left is what the next one begins with; without it all is as it was. */
  leave(side: SandboxSide, begun: ShellState, { state: said, code, ranIn, cwd }: Left): void {
    const place = said && (side === "outside" ? said.cwd : this.#options.outside(said.cwd));
    const left = said && { ...said, cwd: place ?? ranIn };
    // A directory for one call is left again, and one that only this command had.
    const stayed = left?.cwd === ranIn;
    // Of two that ran side by side, one that changed nothing does not take back what the other did.
    if (begun !== this.#now[side] && !(left && differs(begun, stayed ? { ...left, cwd: begun.cwd } : left))) return;
    this.#status = code;
    this.#newest = side;
    this.#put(this.#now, side, left ? stateOf({ ...left, cwd: stayed ? cwd : left.cwd }) : begun);
  }

  /** A file stays for as long as something is compared with it. */
  #put(slots: Record<SandboxSide, ShellState>, side: SandboxSide, state: ShellState): void {
    const before = slots[side];
    if (before === state) return;
    state.hold();
    state.retire();
    slots[side] = state;
    before.release();
  }
}

const otherOf = (side: SandboxSide): SandboxSide => (side === "outside" ? "inside" : "outside");
