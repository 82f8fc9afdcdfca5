import { writeFileSync } from "node:fs";
import { definitionsOf, type ShellDefinitions } from "./definitions.ts";
import { changedExports, differs, type ShellState, stateOf } from "./state.ts";
import { transferIn, transferOut } from "./transfer.ts";

/** The two sides of the sandbox that hand their states to each other. */
type Side = "outside" | "inside";

/**
 * The place where a command runs: outside of the sandbox, in it, in one where nothing but its own `/tmp` can be
 * written, or outside in a shell without start-up files, functions and aliases.
 */
export type SandboxSide = Side | "reading" | "plain";

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
  /** The environment of a shell in which nothing has happened. */
  plain: string;
}

/**
 * The states of a session's shell on both sides of the wall. Whoever enters one side begins with what it left there
 * and what may come through from the other since.
 */
export class StatePair {
  readonly #options: StatePairOptions;
  readonly #first: ShellState;
  /** What each side has come to, and how much of that the other knows. */
  readonly #now: Record<Side, ShellState>;
  readonly #known: Record<Side, ShellState>;
  #newest: Side = "outside";
  /** The directory that a reading or plain command has gone to since; nothing else of those reaches other commands. */
  #moved: string | undefined;
  /** The state of reading commands, and the state of the sandbox that it was brought up to. */
  #reading: { state: ShellState; base: ShellState } | undefined;
  #plain: ShellState | undefined;
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

  get cwd(): string {
    return this.#moved ?? this.newest.cwd;
  }

  /** How the last command ended. */
  get status(): number {
    return this.#status;
  }

  /** The exported variables that commands have set, changed or taken away. */
  changedExports(): string[] {
    return changedExports(this.#first, this.newest);
  }

  /** Everything that a shell holds; undefined where that is what every new shell holds. */
  memory(side: SandboxSide): ShellDefinitions | undefined {
    if (side === "plain") return undefined;
    if (side === "reading") return definitionsOf(this.#first, [this.#reading?.state ?? this.newest, this.newest]);
    return definitionsOf(this.#first, [this.#now[side], this.newest]);
  }

  at(side: SandboxSide): ShellState | undefined {
    if (side === "plain") return this.#plain;
    return side === "reading" ? this.#reading?.state : this.#now[side];
  }

  /** What the next command on this side begins with, where that is known already. */
  settled(side: SandboxSide): ShellState | undefined {
    if (side === "plain") return this.#plain;
    if (side === "reading") return this.#reading?.base === this.settled("inside") ? this.#reading?.state : undefined;
    const other = otherOf(side);
    return this.#now[other] === this.#known[other] ? this.#now[side] : undefined;
  }

  enter(side: SandboxSide): ShellState {
    if (side === "plain") return this.#enterPlain();
    if (side === "reading") return this.#enterReading();
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
    if (side === "plain" || side === "reading") {
      this.#status = code;
      if (left && left.cwd !== ranIn) this.#moved = left.cwd;
      if (left && side === "reading") this.#read(stateOf({ ...left, cwd }), this.#reading?.base ?? this.#now.inside);
      return;
    }
    // A directory for one call is left again, and one that only this command had.
    const stayed = left?.cwd === ranIn;
    // Of two that ran side by side, one that changed nothing does not take back what the other did.
    if (begun !== this.#now[side] && !(left && differs(begun, stayed ? { ...left, cwd: begun.cwd } : left))) return;
    this.#status = code;
    this.#newest = side;
    this.#moved = undefined;
    this.#put(this.#now, side, left ? stateOf({ ...left, cwd: stayed ? cwd : left.cwd }) : begun);
  }

  #enterReading(): ShellState {
    const base = this.enter("inside");
    const before = this.#reading;
    if (before?.base === base) return before.state;
    if (!before) return this.#read(base, base);
    const file = this.#options.name();
    writeFileSync(file, transferIn(before.state.file, before.base.file, base.file), {
      encoding: "latin1",
      mode: 0o600,
    });
    return this.#read(stateOf({ file, cwd: base.cwd, options: base.options }), base);
  }

  #read(state: ShellState, base: ShellState): ShellState {
    const before = this.#reading;
    for (const one of [state, base]) one.hold();
    if (state !== base) state.retire();
    this.#reading = { state, base };
    for (const one of before ? [before.state, before.base] : []) one.release();
    return state;
  }

  #enterPlain(): ShellState {
    if (this.#plain) return this.#plain;
    const file = this.#options.name();
    writeFileSync(file, this.#options.plain, { encoding: "latin1", mode: 0o600 });
    this.#plain = stateOf({ file, cwd: this.#first.cwd, options: [] });
    this.#plain.hold();
    return this.#plain;
  }

  /** A file stays for as long as something is compared with it. */
  #put(slots: Record<Side, ShellState>, side: Side, state: ShellState): void {
    const before = slots[side];
    if (before === state) return;
    state.hold();
    state.retire();
    slots[side] = state;
    before.release();
  }
}

const otherOf = (side: Side): Side => (side === "outside" ? "inside" : "outside");
