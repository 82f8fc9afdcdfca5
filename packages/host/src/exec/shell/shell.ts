import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fail, isDirectory, messageOf, ok, type Result } from "@pith/kit";
import type { Env } from "../env.ts";
import { atExit } from "../process/at-exit.ts";
import { killTree, type ProcessTree } from "../process/tree.ts";
import { isOffline } from "../sandbox/proxy/offline.ts";
import type { Sandbox, SandboxKind, SandboxWatch } from "../sandbox/sandbox.ts";
import { neverStarted, type RunningCommand, type ShellCommand, type ShellResult, type TerminalRun } from "./command.ts";
import { detach } from "./detach.ts";
import { ShellPool } from "./pool.ts";
import { moveOutOfSandbox, openSandboxSlot, type ShellProcess } from "./process.ts";
import { type CommandEnd, supervise } from "./running.ts";
import { type ShellLimits, type ShellResources, ShellRuntime } from "./runtime.ts";
import { type CommandFiles, commandScript, plainState, savedEnvFile, shCommandScript } from "./script.ts";
import type { ShellDefinitions } from "./state/definitions.ts";
import { FirstState } from "./state/first.ts";
import { type SandboxSide, StatePair } from "./state/pair.ts";
import { type ShellState, writtenState } from "./state/state.ts";
import { openTerminal, type TerminalCommand } from "./terminal.ts";
import { watchViolations } from "./violations.ts";

export interface ShellOptions {
  cwd: string;
  /** Where the first command runs, if that is there; `cwd` unless given. */
  startIn?: string | undefined;
  /** Whether a variable that the user's start-up files export is kept from commands. */
  hidesExport?: ((name: string, value: string) => boolean) | undefined;
  /** The environment of pith itself. */
  env: Env;
  /** The user's choice; bash or sh. */
  shell?: string | undefined;
  /** Stands before every command. */
  prefix?: string | undefined;
  limits?: ShellLimits;
  /** What other shells stand on too; who made it ends it. Without, the shell makes and ends its own. */
  runtime?: ShellRuntime;
  /** Whether the user's own start-up files count. */
  startup?: "read" | "skip";
  /** Something people should know. */
  notify?(text: string): void;
  /** What commands can be run behind. */
  sandbox?: Sandbox | undefined;
}

/**
 * The shell of a session. Each command has a process of its own; directory, variables, functions, aliases and options
 * go from one to the next by a file, written by every command that ends by itself. So what kills a command costs no
 * state. The processes for the next commands are made ahead, while nobody waits for them.
 */
export class Shell implements Disposable {
  readonly #options: ShellOptions;
  readonly #base: ShellRuntime;
  readonly #beginning: FirstState;
  #ground: Promise<Result<ShellResources, "spawn">> | undefined;
  #sides: StatePair | undefined;
  #spill: (() => string) | undefined;
  readonly #waiting: Record<string, ShellPool> = {};
  /** The processes of what runs, and whether it may leave another state. */
  readonly #running = new Map<ProcessTree, "state" | "nothing">();
  #closed = false;

  constructor(options: ShellOptions) {
    this.#options = options;
    const {
      cwd,
      startIn: at = cwd,
      env,
      shell,
      limits = {},
      startup = "read",
      hidesExport: hides,
      notify: tell,
    } = options;
    this.#base = options.runtime ?? new ShellRuntime({ env, configured: shell, limits });
    this.#beginning = new FirstState({ cwd, at, env, startup, hides, tell, next: () => this.#base.nextRun() });
  }

  /** Where the next command will run. */
  get cwd(): string {
    const at = this.#sides?.cwd ?? this.#options.startIn;
    return at !== undefined && isDirectory(at) ? at : this.#options.cwd;
  }

  /** The exported variables that commands have set, changed or taken away. */
  changedExports(): string[] {
    return this.#sides?.changedExports() ?? [];
  }

  /** What it holds on a side of the wall, for whoever judges commands; undefined before the first one. */
  definitions(side: SandboxSide): ShellDefinitions | undefined {
    return this.#sides?.memory(side);
  }

  /** The very text that is read for a command. */
  fullCommand(command: string): string {
    return this.#options.prefix ? `${this.#options.prefix} ${command}` : command;
  }

  /** Names a new file that lasts as long as the shell, on a disk; from the first command on. */
  spareFile(): string | undefined {
    return this.#spill && join(this.#spill(), `${crypto.randomUUID().slice(0, 8)}.log`);
  }

  /** Runs a command to its end, however that comes. None throws; what fails is only what never ran. */
  async run(command: ShellCommand): Promise<Result<ShellResult, "command" | "spawn">> {
    const started = await this.start(command);
    return started.ok ? ok(await started.value.done) : started;
  }

  async start(command: ShellCommand): Promise<Result<RunningCommand, "command" | "spawn">> {
    const opened = await this.#opened(command);
    if (!opened.ok) return opened;
    const { ground, side, waiting, state, timeoutMs } = opened.value;
    if (typeof state === "string")
      return ok(neverStarted(state, command, { cwd: this.cwd, limits: ground.limitsText }));
    const cwd = command.cwd ?? this.cwd;
    const taken = this.#take(waiting, state);
    if (!taken.ok) return taken;
    const { carrier, watched } = taken.value;
    const env = { ...(isSandboxed(side) && (await this.#gateway(ground, command))), ...command.env };
    // Behind a wall, that a state was left tells an exit from a signal.
    const leaves = ground.shell.dialect === "bash" && !carrier.sandboxed ? (command.leaves ?? "state") : "state";
    const told = attempt(() => this.#order(ground, carrier.files, state, { ...command, env }, cwd, leaves));
    if (!told.ok) {
      watched?.end();
      waiting.end(carrier);
      return told;
    }
    const found = watchViolations(this.#options, side, watched);
    state.hold();
    this.#begin(ground, carrier.run, carrier.tree, leaves);
    const { limitMonitor: lookout, fileSize } = ground;
    const running = supervise(carrier, { ...command, timeoutMs }, { limitMonitor: lookout, cwd, fileSize });
    carrier.start();
    // A quick command is over within a fraction of a millisecond, and whoever waits for it would wait for this too.
    const lasting = setTimeout(() => {
      waiting.fill();
      this.#prime(side, waiting);
    }, lastingMs);
    let begun: ShellState | undefined = state;
    const done = running.done.then((ended) => {
      clearTimeout(lasting);
      const violations = found();
      const ran = this.#over(opened.value, carrier, ended, { ranIn: cwd, begun });
      // What it came to is told first.
      setImmediate(() => {
        this.#prime(side, waiting);
        waiting.fill();
        waiting.release(carrier);
        state.release();
      });
      return { ...ran, violations };
    });
    return ok({
      pid: running.pid,
      done,
      toBackground(time) {
        begun = undefined;
        if (time === "unlimited") running.unlimit();
      },
      detach: (log) => detach(running, carrier, ground, log),
    });
  }

  /** The same at a terminal of its own, for a person to type at. */
  async runAtTerminal(command: TerminalCommand): Promise<Result<TerminalRun, "command" | "spawn">> {
    const opened = await this.#opened(command);
    if (!opened.ok) return opened;
    const { ground, side, waiting, state, timeoutMs } = opened.value;
    if (typeof state === "string") return fail("command", "The shell's start-up files took all of the command's time");
    if (ground.shell.dialect !== "bash") return fail("spawn", "Only bash can be run at a terminal");
    const run = this.#base.nextRun();
    const { sandbox: wall } = this.#options;
    const place = isSandboxed(side) && wall ? openSandboxSlot(wall, ground, run, kindOf(command)) : undefined;
    if (isSandboxed(side) && !place) return fail("spawn", noWall);
    const [cwd, passage] = [command.cwd ?? this.cwd, place?.files ?? ground.filesOf(run)];
    const env = { ...(place && (await this.#gateway(ground, command))), ...command.env };
    const told = attempt(() => {
      if (place) copyFileSync(state.file, join(place.folder, "from"));
      this.#order(ground, passage, state, { ...command, env }, cwd, "state");
    });
    if (!told.ok) return told;
    const found = watchViolations(this.#options, side, place && wall?.watch(place.sandboxed));
    let tree: ProcessTree | undefined;
    const begin = (begun: ProcessTree) => {
      tree = begun;
      this.#begin(ground, run, begun, "state");
    };
    const pty = await openTerminal({ ground, run, passage, place, state, timeoutMs, begin }, command);
    const done = pty.done.then((ended) => {
      const violations = found();
      const ran = this.#over(opened.value, { run, files: passage, tree, sandboxed: place?.sandboxed }, ended, {
        ranIn: cwd,
        begun: state,
      });
      if (place) waiting.removeFiles(passage);
      return { ...ran, violations };
    });
    return ok({ ...pty, done });
  }

  /** Ends everything that still runs, at once. */
  [Symbol.dispose](): void {
    this.#closed = true;
    this.#stay?.();
    this.#beginning[Symbol.dispose]();
    for (const waiting of Object.values(this.#waiting)) waiting[Symbol.dispose]();
    this.#killAll();
    if (!this.#options.runtime) this.#base[Symbol.dispose]();
  }

  /** Calls off what is done when the process ends. */
  #stay: (() => void) | undefined;
  /** When we go down ourselves there is no time to ask. */
  readonly #killAll = () => {
    for (const tree of this.#running.keys()) killTree(tree);
  };

  /** What a command stands on and begins with, and the time that is left to it; or why it never begins. */
  async #opened(order: ShellCommand) {
    const { command, signal, timeoutMs, side = "outside" } = order;
    if (command.includes("\0")) return fail("command", "The command holds a NUL character, which no shell can take");
    const began = performance.now();
    const opened = await this.#stood();
    if (!opened.ok) return opened;
    const ground = opened.value;
    const { sandbox: wall } = this.#options;
    if (isSandboxed(side)) {
      const stands = await this.#stands(ground);
      if (!stands.ok) return fail("spawn", `${noWall}: ${stands.message}`);
    }
    const name = `${side} ${order.network ?? ""}`;
    const next = () => this.#base.nextRun();
    this.#waiting[name] ??= new ShellPool(ground, next, {
      sandbox: isSandboxed(side) ? wall : undefined,
      kind: kindOf(order),
      functions: side === "plain" ? "none" : "exported",
    });
    const on = { ground, side, waiting: this.#waiting[name] };
    if (signal.aborted || this.#closed) return ok({ ...on, state: "abort" as const, timeoutMs });
    if (!this.#sides) {
      const state = await this.#beginning.state(ground, { signal, timeoutMs });
      if (typeof state === "string") return ok({ ...on, state, timeoutMs });
      this.#began(ground, state);
    }
    const left = timeoutMs - (performance.now() - began);
    try {
      return ok({ ...on, state: (this.#sides as StatePair).enter(side), timeoutMs: left });
    } catch (thrown) {
      return fail("spawn", `The command could not be prepared: ${messageOf(thrown)}`);
    }
  }

  #stood(): Promise<Result<ShellResources, "spawn">> {
    this.#ground ??= this.#open();
    return this.#ground;
  }

  #began(ground: ShellResources, state: ShellState): void {
    const { sandbox: wall } = this.#options;
    this.#sides ??= new StatePair(state, {
      name: () => join(ground.folder, `cross${this.#base.nextRun()}.state`),
      outside: (path) => (wall ? wall.outsidePath(path) : path),
      plain: plainState(this.#options.env),
    });
  }

  /** Waits a while for what the start-up files leave, so that the first command is judged by it too. */
  async waitForStartup(patienceMs: number): Promise<void> {
    const ground = this.#sides ? undefined : await this.#stood();
    const state = ground?.ok && (await this.#beginning.early(ground.value, patienceMs));
    if (ground?.ok && state) this.#began(ground.value, state);
  }

  /** Whether commands can be run behind a wall here; tried when it is first asked. */
  async canSandbox(): Promise<Result<void, "sandbox">> {
    const opened = await this.#stood();
    return opened.ok ? this.#stands(opened.value) : fail("sandbox", opened.message);
  }

  async #stands(ground: ShellResources): Promise<Result<void, "sandbox">> {
    const { sandbox: wall } = this.#options;
    if (ground.shell.dialect !== "bash") return fail("sandbox", "there is no bash on this machine");
    return wall ? wall.prepare(ground.sandboxFolder) : fail("sandbox", "there is none");
  }

  /** What leads programs to hosts that may be reached, and to the `/tmp` of the session. */
  async #gateway(ground: ShellResources, { command, side }: ShellCommand): Promise<Readonly<Record<string, string>>> {
    const { sandbox: wall, env } = this.#options;
    const gate = side === "reading" || isOffline(command) ? undefined : await wall?.gateway(ground.folder);
    return { ...gate?.env, ...(env.TMPDIR !== undefined && { TMPDIR: "/tmp" }) };
  }

  /** A shell that waits; behind the wall only in a place that is as a new one would be. */
  #take(
    waiting: ShellPool,
    state: ShellState,
  ): Result<{ carrier: ShellProcess; watched: SandboxWatch | undefined }, "spawn"> {
    for (let round = 0; round < mostStale; round++) {
      let carrier: ShellProcess;
      try {
        const taken = waiting.take(state);
        if (!taken.ok) return taken;
        carrier = taken.value;
      } catch (thrown) {
        return fail("spawn", `The command could not be prepared: ${messageOf(thrown)}`);
      }
      if (!carrier.sandboxed) return ok({ carrier, watched: undefined });
      const watched = this.#options.sandbox?.watch(carrier.sandboxed);
      if (watched) return ok({ carrier, watched });
      waiting.end(carrier);
    }
    return fail("spawn", "What the wall is built around changes all the time; the command was not run");
  }

  async #open(): Promise<Result<ShellResources, "spawn">> {
    this.#stay ??= atExit(this.#killAll);
    const opened = await this.#base.open();
    if (opened.ok) this.#spill = opened.value.spillFolder;
    return opened;
  }

  /** What runs may leave another state than the present one. */
  #prime(side: SandboxSide, waiting: ShellPool): void {
    const state = this.#sides?.settled(side);
    // Where there is no room for that now, the command that takes it says so.
    if (!state || [...this.#running.values()].includes("state")) return;
    state.lighten();
    attempt(() => waiting.loadState(state));
  }

  /** Writes down what a shell is to do. */
  #order(
    ground: ShellResources,
    passage: CommandFiles,
    state: ShellState,
    { command, env = {} }: ShellCommand,
    cwd: string,
    leaves: "state" | "nothing",
  ): void {
    const whole = this.fullCommand(command);
    const { file, options } = state;
    const words =
      ground.shell.dialect === "sh"
        ? shCommandScript(passage, { file, cwd }, env, whole)
        : commandScript({
            command: whole,
            cwd,
            from: cwd === state.cwd ? "there" : "elsewhere",
            env,
            options,
            status: this.#sides?.status ?? 0,
            passage,
            leaves,
          });
    writeFileSync(passage.scriptFile, words, { mode: 0o600 });
  }

  #begin(ground: ShellResources, run: string, tree: ProcessTree, leaves: "state" | "nothing"): void {
    this.#running.set(tree, leaves);
    // Who is in our control group is found without being named.
    if (!ground.cgroup) ground.watchdog?.begin(run, tree.group);
  }

  #over<E extends CommandEnd>(
    { ground, side, waiting }: { ground: ShellResources; side: SandboxSide; waiting: ShellPool },
    {
      run,
      files: passage,
      tree,
      sandboxed: cell,
    }: Pick<ShellProcess, "run" | "files" | "sandboxed"> & { tree: ProcessTree | undefined },
    ended: E,
    { ranIn, begun }: { ranIn: string; begun: ShellState | undefined },
  ): E & ShellResult {
    const leaves = (tree && this.#running.get(tree)) ?? "state";
    if (tree) this.#running.delete(tree);
    if (!ground.cgroup) ground.watchdog?.end(run);
    const { scriptFile: orders, cookie } = passage;
    const into = cell ? moveOutOfSandbox(passage.stateFile, join(ground.folder, `${run}.state`)) : passage.stateFile;
    const code = ended.end === "exit" ? ended.exitCode : undefined;
    const left = leaves === "state" && begun && code !== undefined ? writtenState(into, cookie) : undefined;
    if (begun && code !== undefined && (left || leaves === "nothing"))
      this.#sides?.leave(side, begun, { state: left && { ...left, file: into }, code, ranIn, cwd: this.cwd });
    const is = left && this.#sides?.at(side)?.file === into;
    if (leaves === "state" && !is) rmSync(into, { force: true, recursive: true });
    setImmediate(() => {
      for (const file of leaves === "state" ? [orders, savedEnvFile(into)] : [orders]) rmSync(file, { force: true });
      waiting.reuseGroup(tree?.cgroup);
    });
    ground.reaper?.sweep();
    const unbuilt = cell && ended.end === "exit" && !cell.wasBuilt() ? (true as const) : undefined;
    // Whoever waits for the command says of one that a signal ended: 128 and its number. Such a one left no state.
    const number = cell && !left && !unbuilt && ended.end === "exit" ? (ended.exitCode ?? 0) - 128 : 0;
    const signal = number > 0 ? signalOf(number) : undefined;
    const how = signal === undefined ? ended : { ...ended, exitCode: undefined, signal };
    return { ...how, cwd: this.cwd, limits: ground.limitsText, unbuilt };
  }
}

/** True for a place that the sandbox builds. */
const isSandboxed = (side: SandboxSide): boolean => side === "inside" || side === "reading";

const kindOf = ({ side, network = "own" }: Pick<ShellCommand, "side" | "network">): SandboxKind => ({
  writes: side === "reading" ? "nothing" : "project",
  network: side === "reading" ? "none" : network,
});

const signalOf = (number: number): string | undefined =>
  Object.entries(constants.signals).find(([, value]) => value === number)?.[0];

const noWall = "The command was meant to run behind a wall, and there is none";
/** A command that takes longer lets the shells of the next ones be made meanwhile. */
const lastingMs = 5;
/** More often than this, what the wall is built around does not change between two looks. */
const mostStale = 8;

/** A full disk has no room for what a shell is to be told either. */
function attempt(run: () => void): Result<void, "spawn"> {
  try {
    return ok(run());
  } catch (thrown) {
    return fail("spawn", `The command could not be prepared: ${messageOf(thrown)}`);
  }
}
