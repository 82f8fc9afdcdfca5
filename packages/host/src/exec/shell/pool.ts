import { fail, ok, type Result, tryOr } from "@pith/kit";
import type { Cgroup } from "../process/cgroup.ts";
import { killTree } from "../process/tree.ts";
import { type ShellProcess, spawnShell } from "./process.ts";
import type { ShellResources } from "./runtime.ts";
import { CommandSlot, type ShellPlace } from "./slot.ts";
import type { ShellState } from "./state/state.ts";

/**
 * Shells for the next commands. They are started ahead, while nobody waits for us, and the first of them loads the
 * state of the session as soon as that is known.
 */
export class ShellPool implements Disposable {
  readonly #resources: ShellResources;
  readonly #nextRun: () => string;
  readonly #place: ShellPlace;
  readonly #ahead: ShellProcess[] = [];
  /** Control groups of commands that are over, for the next ones; one in which a process still dies has to wait. */
  readonly #groups: Cgroup[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** `nextRun` gives a number that no other shell of these resources has. */
  constructor(resources: ShellResources, nextRun: () => string, place: ShellPlace) {
    this.#resources = resources;
    this.#nextRun = nextRun;
    this.#place = place;
  }

  /** Takes the oldest shell, which has had the most time to get ready, with this state loaded. */
  take(state: ShellState): Result<ShellProcess, "spawn"> {
    this.#resources.diskReserve?.check();
    let shell = this.#ahead.shift();
    while (shell && !(shell.isAlive && (shell.state ?? state) === state)) {
      this.end(shell);
      shell = this.#ahead.shift();
    }
    const taken = shell ? ok(shell) : this.#spawn();
    if (taken.ok) taken.value.loadState(state);
    return taken;
  }

  /** Has the next shell load the state that its command will begin with. */
  loadState(state: ShellState): void {
    this.#ahead[0]?.loadState(state);
  }

  /** Starts another shell, and after that the rest one by one. */
  fill(): void {
    const { sandbox, kind } = this.#place;
    if (this.#closed || this.#ahead.length >= maxAhead || sandbox?.canWait(kind) === false) return;
    // If there is no room for it now, the command that needs one says so.
    const spawned = tryOr(() => this.#spawn());
    if (spawned?.ok) this.#ahead.push(spawned.value);
    this.#later();
  }

  /** Ends a shell that will not be used. */
  end(shell: ShellProcess): void {
    killTree(shell.tree);
    this.release(shell);
    this.reuseGroup(shell.tree.cgroup);
  }

  /** Gives up the files and pipes of a shell that has ended. */
  release(shell: ShellProcess): void {
    shell.state?.release();
    shell.close();
    shell.slot.removeSandboxFiles();
  }

  /** Keeps a control group for another command. */
  reuseGroup(group: Cgroup | undefined): void {
    if (group) this.#groups.push(group);
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.drop();
  }

  /** Ends the shells that wait. */
  drop(): void {
    clearTimeout(this.#timer);
    for (const shell of this.#ahead.splice(0)) this.end(shell);
  }

  #spawn(): Result<ShellProcess, "spawn"> {
    const { cgroup, commandLimits, diskReserve } = this.#resources;
    diskReserve?.check();
    const run = this.#nextRun();
    const at = this.#groups.findIndex((group) => group.empty());
    const [free] = at === -1 ? [] : this.#groups.splice(at, 1);
    // Limits that were hit in it before are not this command's.
    free?.takeHit();
    const group = free ?? cgroup?.child(run, commandLimits);
    const slot = CommandSlot.open(this.#resources, { ...this.#place, run, cgroup: group });
    return slot ? spawnShell(this.#resources, slot) : fail("spawn", "The sandbox could not be built; nothing was run");
  }

  #later(): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const more = this.#ahead.length < maxAhead;
    this.#timer = setTimeout(() => (more ? this.fill() : this.drop()), more ? 1 : idleMs);
    this.#timer.unref();
  }
}

/** Number of shells that wait; a loop of quick calls takes them faster than they get ready. */
const maxAhead = 3;
const idleMs = 60 * 1000;
