import { writeFileSync } from "node:fs";
import { definitionsOf, type ShellDefinitions } from "./definitions.ts";
import { changedExports, differs, type ShellState, stateOf } from "./state.ts";
import { type AssignedVariable, transferAssigned, transferIn, transferOut } from "./transfer.ts";

/** The two sides of the sandbox that hand their states to each other. */
type Side = "outside" | "inside";

/**
 * The place where a command runs: outside of the sandbox, in it, in one where nothing but its own `/tmp` can be
 * written, or outside in a shell without start-up files, functions and aliases. After a yes a command has the machine's
 * network in a sandbox: it begins as one outside does, for the yes is not to run a function that another one left.
 */
export type SandboxSide = Side | "reading" | "plain" | "networked";

/** The end of a command that exited. */
export interface ExitedCommand {
  code: number;
  /** The state that it left; undefined where it was known to leave none. */
  state: Pick<ShellState, "file" | "options" | "cwd"> | undefined;
  ranIn: string;
  /** The directory of the session. */
  cwd: string;
  /** Variables that its text assigned. */
  assigns?: readonly AssignedVariable[] | undefined;
}

export interface StatePairOptions {
  /** The name of a new file. */
  name(): string;
  /** The path outside of a path in the sandbox, if it is there too. */
  outside(path: string): string | undefined;
  /** The environment of a shell in which nothing has happened. */
  plain: string;
}

/**
 * The states of a session's shell outside and inside of the sandbox. A command begins with the last state of its side
 * and the changes that may come over from the other side since.
 */
export class StatePair {
  readonly #options: StatePairOptions;
  readonly #first: ShellState;
  readonly #now: Record<Side, ShellState>;
  /** The state of each side that the other one has taken over. */
  readonly #known: Record<Side, ShellState>;
  #newest: Side = "outside";
  /** The directory that a command has gone to since of which nothing else reaches others but what its text assigned. */
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

  /** The state that the last command has left. */
  get newest(): ShellState {
    return this.#now[this.#newest];
  }

  get cwd(): string {
    return this.#moved ?? this.newest.cwd;
  }

  /** The exit code of the last command. */
  get status(): number {
    return this.#status;
  }

  changedExports(): string[] {
    return changedExports(this.#first, this.newest);
  }

  /** The definitions of a shell on this side; undefined where they are those of every new shell. */
  definitions(side: SandboxSide): ShellDefinitions | undefined {
    if (side === "plain") return undefined;
    if (side === "networked") return this.definitions("outside");
    if (side === "reading") return definitionsOf(this.#first, [this.#reading?.state ?? this.newest, this.newest]);
    return definitionsOf(this.#first, [this.#now[side], this.newest]);
  }

  at(side: SandboxSide): ShellState | undefined {
    if (side === "plain") return this.#plain;
    if (side === "networked") return undefined;
    return side === "reading" ? this.#reading?.state : this.#now[side];
  }

  /** The state of the next command on this side, where that is known already. */
  settled(side: SandboxSide): ShellState | undefined {
    if (side === "plain") return this.#plain;
    if (side === "reading") return this.#reading?.base === this.settled("inside") ? this.#reading?.state : undefined;
    if (side === "networked") return this.settled("outside");
    const other = otherOf(side);
    return this.#now[other] === this.#known[other] ? this.#now[side] : undefined;
  }

  /** The state of a command that begins on this side. */
  enter(side: SandboxSide): ShellState {
    if (side === "plain") return this.#enterPlain();
    if (side === "reading") return this.#enterReading();
    if (side === "networked") return this.enter("outside");
    const other = otherOf(side);
    const [mine, theirs, before] = [this.#now[side], this.#now[other], this.#known[other]];
    if (theirs === before) return mine;
    const carry = side === "inside" ? transferIn : transferOut;
    const file = this.#write(carry(mine.file, before.file, theirs.file));
    const state = stateOf({ file, cwd: theirs.cwd, options: mine.options });
    if (mine === this.#known[side]) this.#put(this.#known, side, state);
    this.#put(this.#now, side, state);
    this.#put(this.#known, other, theirs);
    return state;
  }

  /** Takes over the state that a command has left; without one, all stays as it was. */
  leave(side: SandboxSide, begun: ShellState, { state, code, ranIn, cwd, assigns }: ExitedCommand): void {
    const place = state && (side === "outside" ? state.cwd : this.#options.outside(state.cwd));
    const left = state && { ...state, cwd: place ?? ranIn };
    if (side !== "outside" && side !== "inside") {
      this.#status = code;
      if (left) this.#leaveAside(side, { ...left, cwd: left.cwd === ranIn ? undefined : left.cwd }, { cwd, assigns });
      return;
    }
    // The directory of one call only, or of the sandbox only, is not that of the session.
    const stayed = left?.cwd === ranIn;
    // If two ran side by side, one that changed nothing does not take back the changes of the other.
    if (begun !== this.#now[side] && !(left && differs(begun, stayed ? { ...left, cwd: begun.cwd } : left))) return;
    this.#status = code;
    this.#newest = side;
    this.#moved = undefined;
    this.#put(this.#now, side, left ? stateOf({ ...left, cwd: stayed ? cwd : left.cwd }) : begun);
  }

  /** Takes over what may reach others of a command that ran aside. */
  #leaveAside(
    side: SandboxSide,
    { cwd: moved, ...left }: Pick<ShellState, "file" | "options"> & { cwd: string | undefined },
    { cwd, assigns = [] }: Pick<ExitedCommand, "cwd" | "assigns">,
  ): void {
    if (moved !== undefined) this.#moved = moved;
    const text = transferAssigned(this.newest.file, assigns, left.file);
    const { cwd: at, options } = this.newest;
    if (text !== undefined) this.#put(this.#now, this.#newest, stateOf({ file: this.#write(text), cwd: at, options }));
    const next = { ...left, cwd: moved ?? cwd };
    if (side === "reading") this.#read(stateOf(next), this.#reading?.base ?? this.#now.inside);
  }

  #enterReading(): ShellState {
    const base = this.enter("inside");
    const before = this.#reading;
    if (before?.base === base) return before.state;
    if (!before) return this.#read(base, base);
    const file = this.#write(transferIn(before.state.file, before.base.file, base.file));
    return this.#read(stateOf({ file, cwd: base.cwd, options: base.options }), base);
  }

  /** Replaces the state of reading commands. */
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
    this.#plain = stateOf({ file: this.#write(this.#options.plain), cwd: this.#first.cwd, options: [] });
    this.#plain.hold();
    return this.#plain;
  }

  /** Writes a state into a new file. */
  #write(text: string): string {
    const file = this.#options.name();
    writeFileSync(file, text, { encoding: "latin1", mode: 0o600 });
    return file;
  }

  /** Puts a state into a slot; its file stays for as long as something is compared with it. */
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
