import { readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import { killTree, members, type Tree } from "../care/group.ts";
import type { Env } from "../env.ts";
import { openPty, type Pty } from "../pty/pty.ts";
import { Beginning, isDirectory } from "./beginning.ts";
import type { Carrier } from "./carrier.ts";
import { type Ground, ShellGround, type ShellLimits } from "./ground.ts";
import { attend, type Ended, type Running, type Watching } from "./running.ts";
import { cookieName, keptEnv, opening, ordersOf, type Passage, plainOrders } from "./script.ts";
import { changedExports, differs, type State, sameState, stateOf, stateText, writtenState } from "./state.ts";
import { Waiting } from "./waiting.ts";

export interface ShellOptions {
  cwd: string;
  /** Where the first command runs, if that is there; `cwd` unless given. */
  at?: string | undefined;
  /** The environment of pith itself. */
  env: Env;
  /** The user's choice; bash or sh. */
  shell?: string | undefined;
  /** Stands before every command. */
  prefix?: string | undefined;
  limits?: ShellLimits;
  /** What other shells stand on too; who made it ends it. Without, the shell makes and ends its own. */
  ground?: ShellGround;
  /** Whether the user's own start-up files count. */
  startup?: "read" | "skip";
  /** Something people should know. */
  tell?(text: string): void;
}

export interface ShellMemory {
  began: string;
  now: string;
}

export interface ShellCommand extends Watching {
  command: string;
  /**
   * Another directory than the one the session is in, for this command; unless it moves on from there, the session
   * stays where it is.
   */
  cwd?: string | undefined;
  /** For this command only. */
  env?: Readonly<Record<string, string>>;
}

export interface Ran extends Ended {
  /** Where the next command will run. */
  cwd: string;
  /** Which limits held, and by what means. */
  limits: string;
}

export type AtTerminal = Omit<Pty, "done"> & { done: Promise<Ran & { text: string; trouble?: string }> };

export interface Started extends Omit<Running, "done" | "unlimit"> {
  done: Promise<Ran>;
  /** From now on it is a matter of its own: what it leaves is not the session's. */
  aside(time: "limited" | "unlimited"): void;
}

/**
 * The shell of a session. Each command has a process of its own; directory, variables, functions, aliases and options
 * go from one to the next by a file, written by every command that ends by itself. So what kills a command costs no
 * state. The processes for the next commands are made ahead, while nobody waits for them.
 */
export class Shell implements Disposable {
  readonly #options: ShellOptions;
  readonly #base: ShellGround;
  readonly #beginning: Beginning;
  #ground: Promise<Result<Ground, "spawn">> | undefined;
  #first: State | undefined;
  #state: State | undefined;
  #memory: (ShellMemory & { of: State }) | undefined;
  #spill: (() => string) | undefined;
  #waiting: Waiting | undefined;
  /** The processes of what runs. */
  readonly #running = new Set<Tree>();
  #closed = false;

  constructor(options: ShellOptions) {
    this.#options = options;
    const { cwd, at = cwd, env, shell, limits = {}, startup = "read", tell } = options;
    this.#base = options.ground ?? new ShellGround({ env, configured: shell, limits });
    this.#beginning = new Beginning({ cwd, at, env, startup, tell, next: () => this.#base.next() });
  }

  /** Where the next command will run. */
  get cwd(): string {
    const at = this.#state?.cwd ?? this.#options.at;
    return at !== undefined && isDirectory(at) ? at : this.#options.cwd;
  }

  /** The exported variables that commands have set, changed or taken away. */
  changedExports(): string[] {
    return this.#first && this.#state ? changedExports(this.#first, this.#state) : [];
  }

  /**
   * What the shell holds now (variables, functions, aliases, options) and what it began with, in bash's own words;
   * undefined before the first command.
   */
  get memory(): ShellMemory | undefined {
    if (!this.#first || !this.#state) return undefined;
    if (this.#memory?.of !== this.#state)
      this.#memory = { of: this.#state, began: stateText(this.#first), now: stateText(this.#state) };
    return this.#memory;
  }

  /** Whether it is still what it was; what every command changes does not count. */
  remembers(before: ShellMemory | undefined): boolean {
    const { memory } = this;
    // Before the first command it is what it began as.
    return memory === before || (memory !== undefined && sameState(memory.now, before?.now ?? memory.began));
  }

  /** The very text that is read for a command. */
  wording(command: string): string {
    return this.#options.prefix ? `${this.#options.prefix} ${command}` : command;
  }

  /** Names a new file that lasts as long as the shell, on a disk; from the first command on. */
  spareFile(): string | undefined {
    return this.#spill && join(this.#spill(), `${crypto.randomUUID().slice(0, 8)}.log`);
  }

  /** Runs a command to its end, however that comes. None throws; what fails is only what never ran. */
  async run(command: ShellCommand): Promise<Result<Ran, "command" | "spawn">> {
    const started = await this.start(command);
    return started.ok ? ok(await started.value.done) : started;
  }

  async start(command: ShellCommand): Promise<Result<Started, "command" | "spawn">> {
    const opened = await this.#opened(command);
    if (!opened.ok) return opened;
    const { ground, waiting, state, timeoutMs } = opened.value;
    if (typeof state === "string") return ok(this.#never(ground, state, command));
    const taken = waiting.take(state);
    if (!taken.ok) return taken;
    const carrier = taken.value;
    const cwd = command.cwd ?? this.cwd;
    const told = attempt(() => this.#order(ground, carrier.passage, state, command, cwd));
    if (!told.ok) {
      waiting.end(carrier);
      return told;
    }
    state.hold();
    this.#begin(ground, carrier.run, carrier.tree);
    const { lookout, fileSize } = ground;
    const running = attend(carrier, { ...command, timeoutMs }, { lookout, cwd, fileSize });
    carrier.tell();
    // It has to be on its way first; a quick command is over within a millisecond.
    setImmediate(() => {
      waiting.fill();
      this.#prime();
    });
    let leaves: State | undefined = state;
    const done = running.done.then((ended) => {
      const ran = this.#over(ground, carrier, ended, cwd, leaves);
      this.#prime();
      // What it came to is told first.
      setImmediate(() => {
        waiting.refill();
        waiting.over(carrier);
        state.release();
      });
      return ran;
    });
    return ok({
      pid: running.pid,
      done,
      aside(time) {
        leaves = undefined;
        if (time === "unlimited") running.unlimit();
      },
      detach: (log) => this.#detach(running, carrier, ground, log),
    });
  }

  /** The same at a terminal of its own, for a person to type at. */
  async attend(
    command: ShellCommand & { columns: number; rows: number },
  ): Promise<Result<AtTerminal, "command" | "spawn">> {
    const opened = await this.#opened(command);
    if (!opened.ok) return opened;
    const { ground, state, timeoutMs } = opened.value;
    if (typeof state === "string") return fail("command", "The shell's start-up files took all of the command's time");
    if (ground.shell.dialect !== "bash") return fail("spawn", "Only bash can be run at a terminal");
    const run = this.#base.next();
    const [cwd, passage] = [command.cwd ?? this.cwd, ground.passage(run)];
    const { cookie } = passage;
    const told = attempt(() => this.#order(ground, passage, state, command, cwd));
    if (!told.ok) return told;
    const cgroup = ground.cgroup?.child(run, ground.command);
    const said = opening({
      dialect: "bash",
      groups: cgroup?.doors ?? [],
      limits: ground.rlimits,
      folder: ground.folder,
      passage,
      from: state,
    });
    let tree: Tree | undefined;
    const pty = await openPty({
      argv: [ground.shell.path, "--norc", "--noprofile", "-c", said],
      env: { ...ground.env, [cookieName]: cookie, TERM: "xterm-256color" },
      cwd: ground.folder,
      columns: command.columns,
      rows: command.rows,
      timeoutMs,
      signal: command.signal,
      onData: command.onData,
      tree: (group) => {
        tree = { group, cgroup, cookie: `${cookieName}=${cookie}`, orphans: ground.libc ? "ours" : "lost" };
        this.#begin(ground, run, tree);
        return tree;
      },
    });
    const done = pty.done.then((ended) => this.#over(ground, { run, passage, tree }, ended, cwd, state));
    return ok({ ...pty, done });
  }

  /** Ends everything that still runs, at once. */
  [Symbol.dispose](): void {
    this.#closed = true;
    process.off("exit", this.#killAll);
    this.#beginning[Symbol.dispose]();
    this.#waiting?.[Symbol.dispose]();
    this.#killAll();
    if (!this.#options.ground) this.#base[Symbol.dispose]();
  }

  /** When we go down ourselves there is no time to ask. */
  readonly #killAll = () => {
    for (const tree of this.#running) killTree(tree);
  };

  /** What a command stands on and begins with, and the time that is left to it; or why it never begins. */
  async #opened({ command, signal, timeoutMs }: ShellCommand) {
    if (command.includes("\0")) return fail("command", "The command holds a NUL character, which no shell can take");
    const began = performance.now();
    this.#ground ??= this.#open();
    const opened = await this.#ground;
    if (!opened.ok) return opened;
    const ground = opened.value;
    this.#waiting ??= new Waiting(ground, () => this.#base.next());
    const on = { ground, waiting: this.#waiting };
    if (signal.aborted || this.#closed) return ok({ ...on, state: "abort" as const, timeoutMs });
    const state = this.#state ?? (await this.#beginning.state(ground, { signal, timeoutMs }));
    if (typeof state === "string") return ok({ ...on, state, timeoutMs });
    this.#first ??= state;
    this.#state ??= state;
    return ok({ ...on, state: this.#state, timeoutMs: timeoutMs - (performance.now() - began) });
  }

  async #open(): Promise<Result<Ground, "spawn">> {
    process.on("exit", this.#killAll);
    const opened = await this.#base.open();
    if (opened.ok) this.#spill = opened.value.spill;
    return opened;
  }

  /** What runs will leave another state than the present one. */
  #prime(): void {
    if (this.#running.size === 0 && this.#state) this.#waiting?.prime(this.#state);
  }

  /** Writes down what a shell is to do. */
  #order(ground: Ground, passage: Passage, state: State, { command, env = {} }: ShellCommand, cwd: string): void {
    const whole = this.wording(command);
    const { file, options, status } = state;
    const words =
      ground.shell.dialect === "sh"
        ? plainOrders(passage, { file, cwd }, env, whole)
        : ordersOf({
            command: whole,
            cwd,
            from: cwd === state.cwd ? "there" : "elsewhere",
            env,
            options,
            status,
            passage,
          });
    writeFileSync(passage.orders, words, { mode: 0o600 });
  }

  #begin(ground: Ground, run: string, tree: Tree): void {
    this.#running.add(tree);
    // Who is in our control group is found without being named.
    if (!ground.cgroup) ground.watcher?.begin(run, tree.group);
  }

  #over<E extends Ended>(
    ground: Ground,
    { run, passage, tree }: Pick<Carrier, "run" | "passage"> & { tree: Tree | undefined },
    ended: E,
    ranIn: string,
    begun: State | undefined,
  ): E & Ran {
    if (tree) this.#running.delete(tree);
    if (!ground.cgroup) ground.watcher?.end(run);
    const { into, orders, cookie } = passage;
    const left = begun && ended.end === "exit" && ended.exitCode !== undefined ? writtenState(into, cookie) : undefined;
    // A directory for one call is left again.
    const stayed = left?.cwd === ranIn;
    // Of two that ran side by side, one that changed nothing does not take back what the other did.
    const aside = begun !== this.#state;
    if (left && begun && !(aside && !differs(begun, { ...left, file: into, cwd: stayed ? begun.cwd : left.cwd }))) {
      const before = this.#state;
      this.#state = stateOf({
        ...left,
        file: into,
        cwd: stayed ? this.cwd : left.cwd,
        status: ended.exitCode ?? 0,
      });
      before?.retire();
    } else rmSync(into, { force: true });
    setImmediate(() => {
      for (const file of [orders, keptEnv(into)]) rmSync(file, { force: true });
      this.#waiting?.keep(tree?.cgroup);
    });
    ground.reaper?.sweep();
    return { ...ended, cwd: this.cwd, limits: ground.held };
  }

  #detach(running: Running, carrier: Carrier, ground: Ground, log: string): "detached" | "over" {
    untilBegun(running.pid);
    const done = running.detach(log);
    if (done === "detached") {
      ground.watcher?.end(carrier.run);
      // One that was begun between the look and the move is still inside, and would end with us.
      for (let round = 0; round < 100; round++) {
        const inside = members(carrier.tree).map(({ pid }) => pid);
        ground.cgroup?.leave(inside);
        if (carrier.tree.cgroup?.empty() ?? true) break;
      }
    }
    return done;
  }

  #never(ground: Ground, end: "abort" | "timeout", { onData, timeoutMs }: Watching): Started {
    if (end === "timeout") onData(Buffer.from("bash: the start-up files took all the time; the command was not run\n"));
    const durationMs = end === "timeout" ? timeoutMs : 0;
    return {
      pid: 0,
      aside() {},
      detach: () => "over",
      done: Promise.resolve({ end, durationMs, cwd: this.cwd, limits: ground.held }),
    };
  }
}

/**
 * A shell that was told a moment ago may still have to enter its control group and to read its orders, both of which
 * are gone when we are. Once the command runs, we are no longer what it reads from.
 */
function untilBegun(pid: number): void {
  for (let round = 0; round < 500 && /^(?:pipe|socket):/.test(inputOf(pid)); round++) Bun.sleepSync(2);
}

function inputOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/0`);
  } catch {
    return "";
  }
}

/** A full disk has no room for what a shell is to be told either. */
function attempt(run: () => void): Result<void, "spawn"> {
  try {
    return ok(run());
  } catch (thrown) {
    return fail("spawn", `The command could not be prepared: ${messageOf(thrown)}`);
  }
}

/** One command in a shell of its own, without the user's start-up files. */
export async function runShell({
  cwd,
  env,
  ...command
}: Omit<ShellCommand, "env" | "cwd"> & Pick<ShellOptions, "cwd" | "env">): Promise<Result<Ran, "command" | "spawn">> {
  using shell = new Shell({ cwd, env, startup: "skip" });
  return await shell.run(command);
}
