import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { ok, type Result } from "@pith/kit";
import type { Cgroup } from "../process/cgroup.ts";
import { killTree } from "../process/tree.ts";
import { type ShellPlace, type ShellProcess, spawnShell } from "./process.ts";
import type { ShellResources } from "./runtime.ts";
import type { CommandFiles } from "./script.ts";
import type { ShellState } from "./state/state.ts";

/**
 * The shells for the next commands. They are made ahead, while nobody waits for us, and the first of them takes on the
 * state of the session as soon as that is known.
 */
export class ShellPool implements Disposable {
  readonly #ground: ShellResources;
  readonly #next: () => string;
  readonly #place: ShellPlace;
  readonly #ahead: ShellProcess[] = [];
  /** Control groups of commands that are over, for the next ones; those in which somebody still dies have to wait. */
  readonly #groups: Cgroup[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** `next` names a command as no other shell on this ground is named. */
  constructor(ground: ShellResources, next: () => string, place: ShellPlace) {
    this.#ground = ground;
    this.#next = next;
    this.#place = place;
  }

  /** The oldest, for it has had the most time to get ready; none with another state than this. */
  take(state: ShellState): Result<ShellProcess, "spawn"> {
    this.#ground.diskReserve?.check();
    for (let next = this.#ahead.shift(); next; next = this.#ahead.shift()) {
      if (next.code() === null && next.signal() === null && (next.state ?? state) === state) return primed(next, state);
      this.end(next);
    }
    const spawned = this.#spawn();
    return spawned.ok ? primed(spawned.value, state) : spawned;
  }

  /** This is what the next command will begin with. */
  loadState(state: ShellState): void {
    this.#ahead[0]?.loadState(state);
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
  end(carrier: ShellProcess): void {
    killTree(carrier.tree);
    this.release(carrier);
    this.reuseGroup(carrier.tree.cgroup);
  }

  /** What a shell had is not needed by it any more. */
  release(carrier: ShellProcess): void {
    carrier.state?.release();
    carrier.close();
    if (carrier.sandboxed) this.removeFiles(carrier.files);
  }

  /** Takes away what a command behind the wall had of the session's files. */
  removeFiles({ stateFile: into }: CommandFiles): void {
    const folder = dirname(into);
    rmSync(folder, { recursive: true, force: true });
    rmSync(`${folder}.status`, { force: true });
  }

  /** A group that another command may have. */
  reuseGroup(group: Cgroup | undefined): void {
    if (group) this.#groups.push(group);
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#drop();
  }

  #spawn(): Result<ShellProcess, "spawn"> {
    const { cgroup, commandLimits: command, diskReserve: ballast } = this.#ground;
    ballast?.check();
    const run = this.#next();
    const at = this.#groups.findIndex((group) => group.empty());
    const [free] = at === -1 ? [] : this.#groups.splice(at, 1);
    // What happened in it before is not this command's.
    free?.takeHit();
    return spawnShell(this.#ground, run, free ?? cgroup?.child(run, command), this.#place);
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

function primed(carrier: ShellProcess, state: ShellState): Result<ShellProcess, never> {
  carrier.loadState(state);
  return ok(carrier);
}

/** How many shells wait; a loop of quick calls takes them faster than they get ready. */
const most = 3;
const idleMs = 60 * 1000;
