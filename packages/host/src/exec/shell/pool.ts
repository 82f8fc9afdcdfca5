import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { ok, type Result } from "@pith/kit";
import type { Cgroup } from "../process/cgroup.ts";
import { killTree } from "../process/tree.ts";
import type { Wall } from "../sandbox/sandbox.ts";
import { type Carrier, spawnCarrier } from "./process.ts";
import type { Ground } from "./runtime.ts";
import type { Passage } from "./script.ts";
import type { State } from "./state/state.ts";

/**
 * The shells for the next commands. They are made ahead, while nobody waits for us, and the first of them takes on the
 * state of the session as soon as that is known.
 */
export class Waiting implements Disposable {
  readonly #ground: Ground;
  readonly #next: () => string;
  readonly #wall: Wall | undefined;
  readonly #ahead: Carrier[] = [];
  /** Control groups of commands that are over, for the next ones; those in which somebody still dies have to wait. */
  readonly #groups: Cgroup[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** `next` names a command as no other shell on this ground is named; with a wall, all of them are behind it. */
  constructor(ground: Ground, next: () => string, wall?: Wall) {
    this.#ground = ground;
    this.#next = next;
    this.#wall = wall;
  }

  /** The oldest, for it has had the most time to get ready; none with another state than this. */
  take(state: State): Result<Carrier, "spawn"> {
    this.#ground.ballast?.see();
    for (let next = this.#ahead.shift(); next; next = this.#ahead.shift()) {
      if (next.code() === null && next.signal() === null && (next.state ?? state) === state) return primed(next, state);
      this.end(next);
    }
    const spawned = this.#spawn();
    return spawned.ok ? primed(spawned.value, state) : spawned;
  }

  /** This is what the next command will begin with. */
  prime(state: State): void {
    this.#ahead[0]?.prime(state);
  }

  /** Makes another, and after that the rest one by one. */
  fill(): void {
    if (this.#closed || this.#ahead.length >= most) return;
    try {
      const spawned = this.#spawn();
      if (spawned.ok) this.#ahead.push(spawned.value);
    } catch {
      // There is no room for it now; the command that needs one says so.
    }
    this.#later();
  }

  /** Ends one that will not be used. */
  end(carrier: Carrier): void {
    killTree(carrier.tree);
    this.over(carrier);
    this.keep(carrier.tree.cgroup);
  }

  /** What a shell had is not needed by it any more. */
  over(carrier: Carrier): void {
    carrier.state?.release();
    carrier.close();
    if (carrier.cell) this.clear(carrier.passage);
  }

  /** Takes away what a command behind the wall had of the session's files. */
  clear({ into }: Passage): void {
    const folder = dirname(into);
    rmSync(folder, { recursive: true, force: true });
    rmSync(`${folder}.status`, { force: true });
  }

  /** A group that another command may have. */
  keep(group: Cgroup | undefined): void {
    if (group) this.#groups.push(group);
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#drop();
  }

  #spawn(): Result<Carrier, "spawn"> {
    const { cgroup, command, ballast } = this.#ground;
    ballast?.see();
    const run = this.#next();
    const at = this.#groups.findIndex((group) => group.empty());
    const [free] = at === -1 ? [] : this.#groups.splice(at, 1);
    // What happened in it before is not this command's.
    free?.hit();
    return spawnCarrier(this.#ground, run, free ?? cgroup?.child(run, command), this.#wall);
  }

  #later(): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const more = this.#ahead.length < most;
    this.#timer = setTimeout(() => (more ? this.fill() : this.#drop()), more ? 1 : idleMs);
    this.#timer.unref();
  }

  #drop(): void {
    for (const carrier of this.#ahead.splice(0)) this.end(carrier);
  }
}

function primed(carrier: Carrier, state: State): Result<Carrier, never> {
  carrier.prime(state);
  return ok(carrier);
}

/** How many shells wait; a loop of quick calls takes them faster than they get ready. */
const most = 3;
const idleMs = 60 * 1000;
