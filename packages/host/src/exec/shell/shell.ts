import { rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fail, isDirectory, messageOf, ok, type Result, tryOr } from "@pith/kit";
import type { Env } from "../env.ts";
import { atExit } from "../process/at-exit.ts";
import { killTree, type ProcessTree } from "../process/tree.ts";
import { openPty } from "../pty/pty.ts";
import type { Violation } from "../sandbox/guard/guard.ts";
import { isOffline } from "../sandbox/proxy/offline.ts";
import { startBuilt } from "../sandbox/rebuild.ts";
import type { Sandbox, SandboxWatch } from "../sandbox/sandbox.ts";
import {
  neverStarted,
  type RunningCommand,
  type ShellCommand,
  type ShellResult,
  type TerminalCommand,
  type TerminalRun,
} from "./command.ts";
import { detach } from "./detach.ts";
import { ShellPool } from "./pool.ts";
import type { ShellProcess } from "./process.ts";
import { type CommandEnd, SupervisedShell } from "./running.ts";
import { type ShellLimits, type ShellResources, ShellRuntime } from "./runtime.ts";
import { commandScript, plainState, savedEnvFile, shCommandScript } from "./script.ts";
import { CommandSlot, isSandboxed, placeOf } from "./slot.ts";
import type { ShellDefinitions } from "./state/definitions.ts";
import { FirstState } from "./state/first.ts";
import { type SandboxSide, StatePair } from "./state/pair.ts";
import { type ShellState, writtenState } from "./state/state.ts";
import { watchViolations } from "./violations.ts";

export interface ShellOptions {
  cwd: string;
  /** The directory of the first command, if it exists; `cwd` unless given. */
  startIn?: string | undefined;
  /** True for a variable that start-up files export and that is kept from commands. */
  hidesExport?: ((name: string, value: string) => boolean) | undefined;
  /** The environment of pith itself. */
  env: Env;
  /** The shell that the user has chosen; bash or sh. */
  shell?: string | undefined;
  /** Put before every command. */
  prefix?: string | undefined;
  limits?: ShellLimits;
  /** Shared with other shells and ended by its owner; without it, the shell makes and ends its own. */
  runtime?: ShellRuntime;
  /** `skip` if the user's own start-up files do not count. */
  startup?: "read" | "skip";
  /** Called with things that people should know. */
  notify?(text: string): void;
  sandbox?: Sandbox | undefined;
}

/** A command that is about to run, or runs. */
interface CommandRun {
  readonly resources: ShellResources;
  readonly side: SandboxSide;
  readonly writes: ShellCommand["writes"];
  readonly pool: ShellPool;
  readonly slot: CommandSlot;
  readonly cwd: string;
  readonly leaves: "state" | "nothing";
  readonly assigns: ShellCommand["assigns"];
  /** The state it began with; undefined for a command in the background, whose state is not the session's. */
  state: ShellState | undefined;
  tree?: ProcessTree;
  /** Takes back the hosts and ports that were lent to it. */
  takeBack(): void;
  /** Ends the watch for violations. */
  endWatch(): readonly Violation[] | undefined;
}

/**
 * The shell of a session. Each command has a process of its own; directory, variables, functions and aliases go from
 * one to the next by a file, written by every command that ends by itself; options are those of the start-up files. So
 * what kills a command costs no state. The processes for the next commands are made ahead, while nobody waits for them.
 */
export class Shell implements Disposable {
  readonly #options: ShellOptions;
  readonly #runtime: ShellRuntime;
  readonly #firstState: FirstState;
  #resources: Promise<Result<ShellResources, "spawn">> | undefined;
  #states: StatePair | undefined;
  #spillFolder: (() => string) | undefined;
  /** Pools by side, and what is written there. */
  readonly #pools: Record<string, ShellPool> = {};
  /** The processes of running commands, and whether these may leave another state. */
  readonly #running = new Map<ProcessTree, "state" | "nothing">();
  #closed = false;
  /** Calls off what is done when this process ends. */
  #stay: (() => void) | undefined;
  /** Kills all commands; when we end ourselves there is no time to ask. */
  readonly #killAll = () => {
    for (const tree of this.#running.keys()) killTree(tree);
  };

  constructor(options: ShellOptions) {
    this.#options = options;
    const { env, shell, limits = {} } = options;
    this.#runtime = options.runtime ?? new ShellRuntime({ env, configured: shell, limits });
    this.#firstState = new FirstState(options, () => this.#runtime.nextRun());
  }

  /** The directory of the next command. */
  get cwd(): string {
    const at = this.#states?.cwd ?? this.#options.startIn;
    return at !== undefined && isDirectory(at) ? at : this.#options.cwd;
  }

  /** The exported variables that commands have set, changed or removed. */
  changedExports(): string[] {
    return this.#states?.changedExports() ?? [];
  }

  /** Variables, functions, aliases and options of a side, for a judge of commands; undefined before the first one. */
  definitions(side: SandboxSide): ShellDefinitions | undefined {
    return this.#states?.definitions(side);
  }

  /** The very text that is run for a command. */
  fullCommand(command: string): string {
    return this.#options.prefix ? `${this.#options.prefix} ${command}` : command;
  }

  /** Names a new file on a disk that lasts as long as the shell; undefined before the first command. */
  spareFile(): string | undefined {
    return this.#spillFolder && join(this.#spillFolder(), `${crypto.randomUUID().slice(0, 8)}.log`);
  }

  /** Waits a while for the state that the start-up files leave, so that the first command is judged by it too. */
  async waitForStartup(patienceMs: number): Promise<void> {
    const opened = this.#states ? undefined : await this.#open();
    const state = opened?.ok && (await this.#firstState.early(opened.value, patienceMs));
    if (opened?.ok && state) this.#begin(opened.value, state);
  }

  /** Tells if commands can be run in a sandbox here; tried when it is first asked. */
  async canSandbox(): Promise<Result<void, "sandbox">> {
    const opened = await this.#open();
    return opened.ok ? this.#prepareSandbox(opened.value) : fail("sandbox", opened.message);
  }

  /** Tells if commands can have layers over the folders of the project; tried when it is first asked. */
  async canLayer(): Promise<"layers" | "none"> {
    const opened = await this.#open();
    return opened.ok && (await this.#prepareSandbox(opened.value)).ok ? this.#prepareLayers(opened.value) : "none";
  }

  /** Runs a command to its end. Fails only if the command never ran. */
  async run(command: ShellCommand): Promise<Result<ShellResult, "command" | "spawn">> {
    const started = await this.start(command);
    return started.ok ? ok(await started.value.done) : started;
  }

  start(command: ShellCommand): Promise<Result<RunningCommand, "command" | "spawn">> {
    return startBuilt(command, (one) => this.#startOnce(one));
  }

  async #startOnce(command: ShellCommand): Promise<Result<RunningCommand, "command" | "spawn">> {
    const opened = await this.#prepare(command);
    if (!opened.ok) return opened;
    const { resources, side, writes, pool, state, timeoutMs } = opened.value;
    if (typeof state === "string")
      return ok(neverStarted(state, command, { cwd: this.cwd, limits: resources.limitsText }));
    const taken = this.#take(pool, state);
    if (!taken.ok) return taken;
    const { shell, watch } = taken.value;
    const { slot, tree } = shell;
    const cwd = command.cwd ?? this.cwd;
    const { takeBack, ...network } = await this.#network(resources, command);
    const env = { ...network.env, ...command.env };
    // In a sandbox, a state that was left tells an exit from a signal.
    const leaves = resources.shell.dialect === "bash" && !slot.sandboxed ? (command.leaves ?? "state") : "state";
    const { assigns } = command;
    const endWatch = () => watch?.end();
    const base = { resources, side, writes, pool, slot, cwd } as const;
    const run: CommandRun = { ...base, leaves, assigns, state, tree, takeBack, endWatch };
    const written = prepared(() => this.#writeScript(run, state, { ...command, env }));
    if (!written.ok) {
      takeBack();
      watch?.end();
      pool.end(shell);
      return written;
    }
    this.#watch(run, watch);
    state.hold();
    this.#track(run, tree);
    const running = new SupervisedShell(shell, { ...command, timeoutMs }, resources, cwd);
    shell.start();
    // A quick command is over within a fraction of a millisecond, and its caller would wait for this too.
    const lasting = setTimeout(() => {
      pool.fill();
      this.#loadNext(run);
    }, lastingMs);
    const done = running.done.then((end) => {
      clearTimeout(lasting);
      const result = this.#end(run, end);
      // The result is told first.
      setImmediate(() => {
        this.#loadNext(run);
        pool.fill();
        pool.release(shell);
        state.release();
      });
      return result;
    });
    const toBackground = (time: "limited" | "unlimited") => {
      run.state = undefined;
      if (time === "unlimited") running.unlimit();
    };
    return ok({ pid: running.pid, done, toBackground, detach: (log) => detach(running, shell, resources, log) });
  }

  /** Starts a command at a terminal of its own, for a person to type at. */
  async runAtTerminal(command: TerminalCommand): Promise<Result<TerminalRun, "command" | "spawn">> {
    const opened = await this.#prepare(command);
    if (!opened.ok) return opened;
    const { resources, side, writes, pool, state, timeoutMs } = opened.value;
    if (typeof state === "string") return fail("command", "The shell's start-up files took all of the command's time");
    if (resources.shell.dialect !== "bash") return fail("spawn", "Only bash can be run at a terminal");
    const { sandbox } = this.#options;
    const number = this.#runtime.nextRun();
    const cgroup = resources.cgroup?.child(number, resources.commandLimits);
    const slot = CommandSlot.open(resources, { ...placeOf(command, sandbox), run: number, cgroup });
    if (!slot) return fail("spawn", noSandbox);
    const cwd = command.cwd ?? this.cwd;
    const { assigns } = command;
    const endWatch = () => undefined;
    const { takeBack, ...network } = await this.#network(resources, command);
    const base = { resources, side, writes, pool, slot, cwd, leaves: "state", assigns, state } as const;
    const run: CommandRun = { ...base, takeBack, endWatch };
    const env = { ...network.env, ...command.env };
    const written = prepared(() => {
      this.#writeScript(run, state, { ...command, env });
      return slot.place(state);
    });
    if (!written.ok) {
      takeBack();
      return written;
    }
    this.#watch(run, slot.sandboxed && sandbox?.watch(slot.sandboxed));
    const pty = await openPty(command, {
      argv: slot.argv(written.value),
      env: { ...slot.environment, TERM: "xterm-256color" },
      cwd: resources.folder,
      timeoutMs,
      tree: (pid) => this.#track(run, slot.tree(pid)),
    });
    const done = pty.done.then((end) => {
      const result = this.#end(run, end);
      slot.removeSandboxFiles();
      return result;
    });
    return ok({ ...pty, done });
  }

  /** Ends everything that still runs, at once. */
  [Symbol.dispose](): void {
    this.#closed = true;
    this.#stay?.();
    this.#firstState[Symbol.dispose]();
    for (const pool of Object.values(this.#pools)) pool[Symbol.dispose]();
    this.#killAll();
    if (!this.#options.runtime) this.#runtime[Symbol.dispose]();
  }

  #open(): Promise<Result<ShellResources, "spawn">> {
    this.#stay ??= atExit(this.#killAll);
    this.#resources ??= this.#runtime.open().then((opened) => {
      if (opened.ok) this.#spillFolder = opened.value.spillFolder;
      return opened;
    });
    return this.#resources;
  }

  /** The resources and the state for a command and the time that is left to it; or why it never begins. */
  async #prepare(order: ShellCommand) {
    const { command, signal, timeoutMs, side = "outside" } = order;
    if (command.includes("\0")) return fail("command", "The command holds a NUL character, which no shell can take");
    const began = performance.now();
    const opened = await this.#open();
    if (!opened.ok) return opened;
    const resources = opened.value;
    const place = placeOf(order, this.#options.sandbox);
    const sandboxed = isSandboxed(side) ? await this.#prepareSandbox(resources) : ok(undefined);
    if (!sandboxed.ok) return fail("spawn", `${noSandbox}: ${sandboxed.message}`);
    const { writes, also } = place.kind;
    if (writes === "layers" && (await this.#prepareLayers(resources)) === "none") return fail("spawn", noLayers);
    if (writes === "project") this.#dropLayers();
    const name = also ? JSON.stringify([side, writes, also]) : `${side} ${writes}`;
    this.#pools[name] ??= new ShellPool(resources, () => this.#runtime.nextRun(), place);
    const base = { resources, side, writes, pool: this.#pools[name] };
    if (signal.aborted || this.#closed) return ok({ ...base, state: "abort" as const, timeoutMs });
    const first = this.#states ?? (await this.#firstState.state(resources, { signal, timeoutMs }));
    if (typeof first === "string") return ok({ ...base, state: first, timeoutMs });
    const states = first instanceof StatePair ? first : this.#begin(resources, first);
    const left = timeoutMs - (performance.now() - began);
    return prepared(() => ({ ...base, state: states.enter(side), timeoutMs: left }));
  }

  #begin(resources: ShellResources, first: ShellState): StatePair {
    const { sandbox } = this.#options;
    this.#states ??= new StatePair(first, {
      name: () => join(resources.folder, `cross${this.#runtime.nextRun()}.state`),
      outside: (path) => (sandbox ? sandbox.outsidePath(path) : path),
      plain: plainState(this.#options.env),
    });
    return this.#states;
  }

  /** Ends the shells that wait in layers: what is below these must not change, and they are quickly made anew. */
  #dropLayers(): void {
    for (const name of layeredPools) this.#pools[name]?.drop();
  }

  async #prepareSandbox(resources: ShellResources): Promise<Result<void, "sandbox">> {
    const { sandbox } = this.#options;
    if (resources.shell.dialect !== "bash") return fail("sandbox", "there is no bash on this machine");
    return sandbox ? sandbox.prepare(resources.sandboxFolder) : fail("sandbox", "there is none");
  }

  async #prepareLayers({ sandboxFolder }: ShellResources): Promise<"layers" | "none"> {
    return (await this.#options.sandbox?.prepareLayers(sandboxFolder)) ?? "none";
  }

  /**
   * Lends a command in the sandbox its hosts and ports, and gives the variables that lead programs to what may be
   * reached and to the `/tmp` there.
   */
  async #network({ folder }: ShellResources, { command, side = "outside", grants }: ShellCommand) {
    const { sandbox, env } = this.#options;
    if (!sandbox || !isSandboxed(side)) return { takeBack() {}, env: {} };
    const silent = side !== "inside" || isOffline(command);
    const takeBack = silent ? () => {} : await sandbox.lend(folder, grants);
    const gateway = silent ? undefined : await sandbox.gateway(folder);
    return { takeBack, env: { ...gateway?.env, ...(env.TMPDIR !== undefined && { TMPDIR: "/tmp" }) } };
  }

  /** A shell from the pool; in a sandbox only one whose plan is as a new one would be. */
  #take(pool: ShellPool, state: ShellState): Result<{ shell: ShellProcess; watch: SandboxWatch | undefined }, "spawn"> {
    for (let round = 0; round < maxStale; round++) {
      const taken = prepared(() => pool.take(state));
      if (!taken.ok) return taken;
      if (!taken.value.ok) return taken.value;
      const shell = taken.value.value;
      const { sandboxed } = shell.slot;
      const watch = sandboxed && this.#options.sandbox?.watch(sandboxed);
      if (!sandboxed || watch) return ok({ shell, watch });
      pool.end(shell);
    }
    return fail("spawn", "The files that the sandbox is built around change all the time; the command was not run");
  }

  /** Has the next shell load its state, unless a running command may leave another one. */
  #loadNext({ pool, side }: CommandRun): void {
    const state = this.#states?.settled(side);
    if (!state || [...this.#running.values()].includes("state")) return;
    state.lighten();
    // If there is no room for it now, the command that needs it says so.
    tryOr(() => pool.loadState(state));
  }

  #writeScript({ resources, slot, cwd, leaves }: CommandRun, state: ShellState, { command, env = {} }: ShellCommand) {
    const { files } = slot;
    const { file, options } = state;
    const full = this.fullCommand(command);
    const from = cwd === state.cwd ? "there" : "elsewhere";
    const status = this.#states?.status ?? 0;
    const script =
      resources.shell.dialect === "sh"
        ? shCommandScript(files, { file, cwd }, env, full)
        : commandScript({ command: full, cwd, from, env, options, status, files, leaves });
    writeFileSync(files.scriptFile, script, { mode: 0o600 });
  }

  /** Begins to watch for violations of a sandbox, or tells it that a command runs outside. */
  #watch(run: CommandRun, watch: SandboxWatch | undefined): void {
    const { sandbox, notify } = this.#options;
    const endOutside = run.side === "outside" ? sandbox?.beginOutside() : undefined;
    run.endWatch = watch ? watchViolations(watch, notify) : () => void endOutside?.();
  }

  /** Remembers the processes of a command, to end them with the shell. */
  #track(run: CommandRun, tree: ProcessTree): ProcessTree {
    run.tree = tree;
    this.#running.set(tree, run.leaves);
    // A process in our control group is found without being named.
    if (!run.resources.cgroup) run.resources.watchdog?.begin(run.slot.run, tree.group);
    return tree;
  }

  /** Takes over the state that a command has left, and completes its result. */
  #end<E extends CommandEnd>(run: CommandRun, end: E): E & ShellResult {
    const { resources, side, slot, cwd: ranIn, leaves, state: begun, tree, assigns } = run;
    run.takeBack();
    const violations = run.endWatch();
    if (run.writes === "project") this.#dropLayers();
    const layers = slot.sandboxed?.layers;
    const discarded = layers?.discarded();
    // At once: the next command may need the room.
    if (end.end !== "detached") layers?.[Symbol.dispose]();
    if (tree) this.#running.delete(tree);
    if (!resources.cgroup) resources.watchdog?.end(slot.run);
    const file = slot.takeState();
    const code = end.end === "exit" ? end.exitCode : undefined;
    const left = leaves === "state" && begun && code !== undefined ? writtenState(file, slot.files.cookie) : undefined;
    // Options are those of one command.
    const state = left && begun && { file, cwd: left.cwd, options: begun.options };
    if (begun && code !== undefined && (left || leaves === "nothing"))
      this.#states?.leave(side, begun, { state, code, ranIn, cwd: this.cwd, assigns });
    const isCurrent = left && this.#states?.at(side)?.file === file;
    if (leaves === "state" && !isCurrent) rmSync(file, { force: true, recursive: true });
    setImmediate(() => {
      rmSync(slot.files.scriptFile, { force: true });
      if (leaves === "state") rmSync(savedEnvFile(file), { force: true });
      run.pool.reuseGroup(tree?.cgroup);
    });
    resources.reaper?.sweep();
    const { sandboxed } = slot;
    const isExit = sandboxed !== undefined && end.end === "exit";
    const unbuilt = isExit && !sandboxed.wasBuilt() ? (true as const) : undefined;
    if (unbuilt) this.#options.sandbox?.lookAgain();
    // The sandbox tells of a command that a signal ended: 128 and its number. Such a one has left no state.
    const signal = isExit && !left && !unbuilt ? signalOf((end.exitCode ?? 0) - 128) : undefined;
    const how = signal === undefined ? end : { ...end, exitCode: undefined, signal };
    return { ...how, cwd: this.cwd, limits: resources.limitsText, unbuilt, violations, discarded };
  }
}

const signalOf = (number: number): string | undefined =>
  Object.entries(constants.signals).find(([, value]) => value === number)?.[0];

const noLayers = "The command was meant to run in a layer over the project, and none can be made";
const layeredPools = ["reading layers", "networked layers"];
const noSandbox = "The command was meant to run in a sandbox, and there is none";
/** A command that takes longer lets the shells of the next ones be made meanwhile. */
const lastingMs = 5;
/** Tries to get a sandbox whose plan still holds; its files do not change more often between two looks. */
const maxStale = 8;

/** The result of preparing a command, for which a full disk may have no room. */
function prepared<T>(prepare: () => T): Result<T, "spawn"> {
  try {
    return ok(prepare());
  } catch (thrown) {
    return fail("spawn", `The command could not be prepared: ${messageOf(thrown)}`);
  }
}
