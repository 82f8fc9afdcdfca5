import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDirectory, sleep } from "@pith/kit";
import { commandEnv, type Env, unattended } from "../../env.ts";
import type { RunOptions } from "../running.ts";
import type { ShellResources } from "../runtime.ts";
import { cookieName, initialState } from "../script.ts";
import { runStartupFiles } from "./startup-files.ts";
import { hideExports, type ShellState, stateOf } from "./state.ts";

export interface FirstStateOptions {
  /** Where commands run where the place that they should go on in is gone. */
  cwd: string;
  /** Where the first command runs. */
  at: string;
  env: Env;
  /** Whether the user's own start-up files count. */
  startup: "read" | "skip";
  /** A name that nothing else on the ground has. */
  next(): string;
  /** Whether a variable that start-up files export is kept from commands. */
  hides?: ((name: string, value: string) => boolean) | undefined;
  /** Something people should know. */
  tell?: ((text: string) => void) | undefined;
}

/** The state that the first command of a shell begins with: what the user's start-up files leave, read once. */
export class FirstState implements Disposable {
  readonly #options: FirstStateOptions;
  #state: ShellState | undefined;
  #reading: { done: Promise<void>; stop: AbortController; waiting: number } | undefined;
  #closed = false;

  constructor(options: FirstStateOptions) {
    this.#options = options;
  }

  /**
   * Waits no longer than the command may take, whose time this is. When the last one that waits gives up, the start-up
   * is ended: one that took all the time is done without from then on, an interrupted one begins anew.
   */
  async state(
    ground: ShellResources,
    { signal, timeoutMs }: Pick<RunOptions, "signal" | "timeoutMs">,
  ): Promise<ShellState | "abort" | "timeout"> {
    const over = new AbortController();
    const late = sleep(Math.min(timeoutMs, longestMs), AbortSignal.any([signal, over.signal]));
    try {
      while (!this.#state) {
        if (signal.aborted || this.#closed) return "abort";
        this.#reading ??= this.#read(ground);
        const reading = this.#reading;
        reading.waiting++;
        const given = await Promise.race([reading.done, late]);
        reading.waiting--;
        if (given === undefined) continue;
        if (reading.waiting === 0) reading.stop.abort(given);
        // Its traps have their time; it is short.
        await (reading.waiting === 0 && reading.done);
        return given === "slept" ? "timeout" : "abort";
      }
      return this.#state;
    } finally {
      over.abort();
    }
  }

  /** The same for somebody who only wants to know, and ends nothing by giving up. */
  async early(ground: ShellResources, patienceMs: number): Promise<ShellState | undefined> {
    if (this.#closed) return undefined;
    if (!this.#state) this.#reading ??= this.#read(ground);
    const over = new AbortController();
    await Promise.race([this.#reading?.done, sleep(patienceMs, over.signal)]);
    over.abort();
    return this.#state;
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#reading?.stop.abort("aborted");
  }

  #read(ground: ShellResources) {
    const stop = new AbortController();
    const { cwd, at, env, startup, hides, next } = this.#options;
    const name = `start${next()}`;
    const file = join(ground.folder, `${name}.state`);
    const read = async () => {
      const reads = ground.shell.dialect === "bash" && startup === "read";
      const left = reads ? await this.#startUp(ground, name, file, stop.signal) : undefined;
      if (stop.signal.reason === "aborted") {
        this.#reading = undefined;
        return;
      }
      if (left && hides) hideExports(file, hides);
      if (!left) writeFileSync(file, initialState(commandEnv(env)), { mode: 0o600 });
      this.#state = stateOf({ file, cwd: isDirectory(at) ? at : cwd, options: left?.options ?? [] });
      // What later states are compared with; it goes with its folder.
      this.#state.hold();
    };
    return { done: read(), stop, waiting: 0 };
  }

  async #startUp(
    { shell, folder, cookie, libc, watchdog: watcher }: ShellResources,
    name: string,
    into: string,
    signal: AbortSignal,
  ): Promise<{ options: string[] } | undefined> {
    const { env, tell } = this.#options;
    const mark = `${cookie}.${name}`;
    const said = await runStartupFiles({
      shell,
      env: commandEnv(env),
      over: unattended(env),
      // Not the project's directory: what a stranger put there is nothing that a start-up should come across.
      cwd: [env.HOME, folder].find((place) => place !== undefined && isDirectory(place)) ?? folder,
      into,
      cookie: mark,
      signal,
      tree(group) {
        watcher?.begin(name, group);
        return { group, cgroup: undefined, variable: `${cookieName}=${mark}`, orphans: libc ? "ours" : "lost" };
      },
    });
    watcher?.end(name);
    if (typeof said !== "string") return said;
    if (signal.reason !== "aborted") tell?.(said);
    return undefined;
  }
}

/** The most that a timer can be set to. */
const longestMs = 2 ** 31 - 1;
