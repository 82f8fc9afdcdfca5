import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import type { Cgroup } from "../care/cgroup.ts";
import { killTree, members, type Tree } from "../care/group.ts";
import { commandEnv, type Env, unattended } from "../env.ts";
import { openPty, type Pty } from "../pty/pty.ts";
import { type Carrier, spawnCarrier } from "./carrier.ts";
import { type Ground, openGround, type ShellLimits } from "./ground.ts";
import { attend, type Ended, type Running, type Watching } from "./running.ts";
import {
  cookieName,
  firstState,
  opening,
  type Preparation,
  plainCommand,
  preparation,
  priming,
  quote,
  type StateFiles,
  stateFiles,
  withOptions,
} from "./script.ts";
import { takeSnapshot } from "./snapshot.ts";
import { removeState, type State, stateOf, writtenCwd } from "./state.ts";

export interface ShellParts {
  cwd: string;
  /** The environment of pith itself. */
  env: Env;
  /** The user's choice; bash or sh. */
  shell?: string | undefined;
  /** Stands before every command. */
  prefix?: string | undefined;
  limits?: ShellLimits;
  /** Whether the user's own start-up files count. */
  startup?: "read" | "skip";
  /** Something people should know. */
  tell?(text: string): void;
}

export interface ShellCommand extends Watching {
  command: string;
  /** Another directory than the one the session is in, for this command; unless it moves on from there, the session stays where it is. */
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

export type Started = Omit<Running, "done"> & { done: Promise<Ran> };

/**
 * The shell of a session. Each command has a process of its own; directory, variables, functions, aliases and options go
 * from one to the next by files, written by every command that ends by itself. So what kills a command costs no state.
 * The processes for the next commands are made ahead, while nobody waits for them.
 */
export class Shell implements Disposable {
  readonly #parts: ShellParts;
  #ground: Promise<Result<Ground, "spawn">> | undefined;
  #state: State | undefined;
  #folder: string | undefined;
  readonly #ahead: Carrier[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The processes of what runs. */
  readonly #running = new Set<Tree>();
  /** Control groups of commands that are over, for the next ones; those in which somebody still dies have to wait. */
  readonly #groups: Cgroup[] = [];
  #count = 0;
  #closed = false;

  constructor(parts: ShellParts) {
    this.#parts = parts;
  }

  /** Where the next command will run. */
  get cwd(): string {
    return this.#state && isDirectory(this.#state.cwd) ? this.#state.cwd : this.#parts.cwd;
  }

  /** A private folder that lasts as long as the shell; from the first command on. */
  get folder(): string | undefined {
    return this.#folder;
  }

  /** Runs a command to its end, however that comes. None throws; what fails is only what never ran. */
  async run(command: ShellCommand): Promise<Result<Ran, "command" | "spawn">> {
    const started = await this.start(command);
    return started.ok ? ok(await started.value.done) : started;
  }

  async start(command: ShellCommand): Promise<Result<Started, "command" | "spawn">> {
    if (command.command.includes("\0")) return fail("command", "The command holds a NUL character, which no shell can take");
    this.#ground ??= this.#open();
    const opened = await this.#ground;
    if (!opened.ok) return opened;
    const ground = opened.value;
    const state = this.#state;
    if (command.signal.aborted || this.#closed || !state) return ok(this.#never(ground));
    const taken = this.#take(ground);
    if (!taken.ok) return taken;
    const carrier = taken.value;
    if (ground.shell.dialect === "bash") this.#prime(carrier, state);
    const cwd = command.cwd ?? this.cwd;
    const into = stateFiles(join(ground.folder, carrier.run));
    const own = { cookie: `${ground.cookie}.${carrier.run}`, state: state.files, cwd, moved: cwd === state.cwd, env: command.env ?? {}, into };
    const words = attempt(() => this.#words(ground, carrier.run, own, command.command));
    if (!words.ok) {
      this.#end(carrier);
      return words;
    }
    this.#running.add(carrier.tree);
    state.hold();
    // Who is in our control group is found without being named.
    if (!ground.cgroup) ground.watcher?.begin(carrier.run, carrier.tree.group);
    const running = attend(carrier, command, { lookout: ground.lookout, cwd });
    carrier.tell(words.value);
    const done = running.done.then((ended) => {
      this.#running.delete(carrier.tree);
      state.release();
      carrier.state?.release();
      if (!ground.cgroup) ground.watcher?.end(carrier.run);
      if (ended.end === "exit" && ended.exitCode !== undefined) this.#adopt(into, cwd);
      else removeState(into);
      rmSync(join(ground.folder, `${carrier.run}.before`), { force: true });
      if (carrier.tree.cgroup) this.#groups.push(carrier.tree.cgroup);
      ground.reaper?.sweep();
      this.#primeNext(ground);
      this.#prepare(ground);
      return { ...ended, cwd: this.cwd, limits: ground.held };
    });
    return ok({ pid: running.pid, done, detach: (log) => this.#detach(running, carrier, ground, log) });
  }

  /** The same at a terminal of its own, for a person to type at. */
  async attend(command: ShellCommand & { columns: number; rows: number }): Promise<Result<AtTerminal, "command" | "spawn">> {
    if (command.command.includes("\0")) return fail("command", "The command holds a NUL character, which no shell can take");
    this.#ground ??= this.#open();
    const opened = await this.#ground;
    if (!opened.ok) return opened;
    const [ground, state] = [opened.value, this.#state];
    if (ground.shell.dialect !== "bash" || !state) return fail("spawn", "Only bash can be run at a terminal");
    const run = String(++this.#count);
    const [cwd, cookie] = [command.cwd ?? this.cwd, `${ground.cookie}.${run}`];
    const into = stateFiles(join(ground.folder, run));
    const cgroup = ground.cgroup?.child(run, ground.command);
    const [before = "", words = ""] = this.#words(
      ground,
      run,
      { cookie, state: state.files, cwd, moved: false, env: command.env ?? {}, into },
      command.command,
    ).split("\0");
    writeFileSync(before, `${priming(state.files, state.cwd)}; ${readFileSync(before, "utf8")}`);
    const files = { preparation: before, command: join(ground.folder, `${run}.words`) };
    writeFileSync(files.command, words, { mode: 0o600 });
    const said = opening({ dialect: "bash", groups: cgroup?.doors ?? [], limits: ground.rlimits, cookie, files });
    let tree: Tree | undefined;
    const pty = await openPty({
      ...{ argv: [ground.shell.path, "--norc", "--noprofile", "-c", said], env: { [cookieName]: cookie, TERM: "xterm-256color" }, cwd: ground.folder },
      ...{ columns: command.columns, rows: command.rows, timeoutMs: command.timeoutMs, signal: command.signal, onData: command.onData },
      tree: (group) => {
        if (!ground.cgroup) ground.watcher?.begin(run, group);
        tree = { group, cgroup, cookie: `${cookieName}=${cookie}`, orphans: ground.libc ? "ours" : "lost" };
        this.#running.add(tree);
        return tree;
      },
    });
    const done = pty.done.then((ended) => {
      if (tree) this.#running.delete(tree);
      if (!ground.cgroup) ground.watcher?.end(run);
      if (cgroup) this.#groups.push(cgroup);
      if (ended.end === "exit" && ended.exitCode !== undefined) this.#adopt(into, cwd);
      else removeState(into);
      return { ...ended, cwd: this.cwd, limits: ground.held };
    });
    return ok({ ...pty, done });
  }

  /** Ends everything that still runs, at once. */
  [Symbol.dispose](): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    process.off("exit", this.#killAll);
    this.#drop();
    this.#killAll();
    void this.#ground?.then((opened) => opened.ok && opened.value[Symbol.dispose]());
  }

  /** When we go down ourselves there is no time to ask. */
  readonly #killAll = () => {
    for (const tree of this.#running) killTree(tree);
  };

  async #open(): Promise<Result<Ground, "spawn">> {
    const { env, shell, limits = {}, cwd } = this.#parts;
    process.on("exit", this.#killAll);
    const opened = await openGround({ env, configured: shell, tmp: tmpdir(), limits });
    if (!opened.ok) return opened;
    this.#folder = opened.value.folder;
    const into = stateFiles(join(opened.value.folder, "start"));
    if (opened.value.shell.dialect !== "bash" || this.#parts.startup === "skip" || !(await this.#startUp(opened.value, into))) {
      writeFileSync(into.vars, firstState(commandEnv(env)));
      writeFileSync(into.options, "");
    }
    this.#state = stateOf(cwd, into);
    return opened;
  }

  async #startUp({ shell, folder, cookie, libc, watcher }: Ground, into: StateFiles): Promise<boolean> {
    const { cwd, env, tell } = this.#parts;
    const own = `${cookie}.start`;
    const said = await takeSnapshot({
      ...{ shell, env: commandEnv(env), over: unattended(env), cwd: isDirectory(cwd) ? cwd : folder, into, cookie: own },
      tree(group) {
        watcher?.begin("start", group);
        return { group, cgroup: undefined, cookie: `${cookieName}=${own}`, orphans: libc ? "ours" : "lost" };
      },
    });
    watcher?.end("start");
    if (said !== "taken") tell?.(said);
    return said === "taken";
  }

  /** The oldest of those that wait, for it has had the most time to get ready; none with a state that is no longer the newest. */
  #take(ground: Ground): Result<Carrier, "spawn"> {
    for (let next = this.#ahead.shift(); next; next = this.#ahead.shift()) {
      if (next.code() === null && next.signal() === null && (next.state ?? this.#state) === this.#state) return ok(next);
      this.#end(next);
    }
    return this.#spawn(ground);
  }

  /** What runs will leave another state than the present one. */
  #primeNext({ shell }: Ground): void {
    if (shell.dialect === "bash" && this.#running.size === 0) this.#prime(this.#ahead[0]);
  }

  /** Lets a shell take on the state before it is known what it will run. */
  #prime(carrier: Carrier | undefined, state = this.#state): void {
    if (!carrier || carrier.state || !state) return;
    carrier.state = state;
    state.hold();
    carrier.say(`${priming(state.files, state.cwd)}\0`);
  }

  #spawn(ground: Ground): Result<Carrier, "spawn"> {
    const run = String(++this.#count);
    const at = this.#groups.findIndex((group) => group.empty());
    const [free] = at === -1 ? [] : this.#groups.splice(at, 1);
    // What happened in it before is not this command's.
    free?.hit();
    return spawnCarrier({
      ...{ shell: ground.shell, libc: ground.libc, limits: ground.rlimits, folder: ground.folder, run },
      cookie: `${ground.cookie}.${run}`,
      cgroup: free ?? ground.cgroup?.child(run, ground.command),
    });
  }

  #words({ folder, shell }: Ground, run: string, own: Preparation, command: string): string {
    const whole = this.#parts.prefix ? `${this.#parts.prefix} ${command}` : command;
    const [before, file] = [join(folder, `${run}.before`), join(folder, `${run}.command`)];
    if (shell.dialect === "sh") {
      writeFileSync(file, plainCommand(own, whole), { mode: 0o600 });
      return `${file}\n`;
    }
    writeFileSync(before, preparation(own), { mode: 0o600 });
    if (whole.length < maxSpoken) return `${before}\0${withOptions(own.state, whole)}\0`;
    writeFileSync(file, withOptions(own.state, whole), { mode: 0o600 });
    return `${before}\0IFS= builtin read -r -d '' REPLY <${quote(file)}; builtin eval "builtin unset REPLY; $REPLY"\0`;
  }

  #adopt(files: StateFiles, ranIn: string): void {
    const written = writtenCwd(files);
    if (written === undefined) {
      removeState(files);
      return;
    }
    const before = this.#state;
    // A directory for one call is left again.
    this.#state = stateOf(written === ranIn ? this.cwd : written, files);
    before?.retire();
  }

  /** Makes the next ones, one by one and not before whoever waits for a result has it. */
  #prepare(ground: Ground): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const more = this.#ahead.length < ahead;
    this.#timer = setTimeout(
      () => {
        if (!more) return this.#drop();
        const spawned = this.#spawn(ground);
        if (spawned.ok) this.#ahead.push(spawned.value);
        this.#primeNext(ground);
        this.#prepare(ground);
      },
      more ? 1 : idleMs,
    );
    this.#timer.unref();
  }

  #drop(): void {
    for (const carrier of this.#ahead.splice(0)) this.#end(carrier);
  }

  #end(carrier: Carrier): void {
    killTree(carrier.tree);
    carrier.state?.release();
    carrier.close();
    if (carrier.tree.cgroup) this.#groups.push(carrier.tree.cgroup);
  }

  #detach(running: Running, carrier: Carrier, ground: Ground, log: string): "detached" | "over" {
    const done = running.detach(log);
    if (done === "detached") {
      ground.watcher?.end(carrier.run);
      ground.cgroup?.leave(members(carrier.tree).map(({ pid }) => pid));
    }
    return done;
  }

  #never(ground: Ground): Started {
    return { pid: 0, detach: () => "over", done: Promise.resolve({ end: "abort", durationMs: 0, cwd: this.cwd, limits: ground.held }) };
  }
}

/** How many shells wait; a loop of quick calls takes them faster than they get ready. */
const ahead = 3;
const maxSpoken = 16 * 1024;
const idleMs = 60 * 1000;

/** A full disk has no room for what a shell is to be told either. */
function attempt(run: () => string): Result<string, "spawn"> {
  try {
    return ok(run());
  } catch (thrown) {
    return fail("spawn", `The command could not be prepared: ${messageOf(thrown)}`);
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** One command in a shell of its own, without the user's start-up files. */
export async function runShell({
  cwd,
  env,
  ...command
}: Omit<ShellCommand, "env" | "cwd"> & Pick<ShellParts, "cwd" | "env">): Promise<Result<Ran, "command" | "spawn">> {
  using shell = new Shell({ cwd, env, startup: "skip" });
  return await shell.run(command);
}
