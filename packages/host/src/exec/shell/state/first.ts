import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDirectory, sleep } from "@pith/kit";
import { commandEnv, type Env } from "../../env.ts";
import type { RunOptions } from "../running.ts";
import type { ShellResources } from "../runtime.ts";
import { initialState } from "../script.ts";
import { runStartupFiles } from "./startup-files.ts";
import { hideExports, type ShellState, stateOf } from "./state.ts";

export interface FirstStateOptions {
  cwd: string;
  /** The directory of the first command, if it exists; `cwd` unless given. */
  startIn?: string | undefined;
  env: Env;
  /** `skip` if the user's own start-up files do not count. */
  startup?: "read" | "skip";
  /** True for a variable that start-up files export and that is kept from commands. */
  hidesExport?: ((name: string, value: string) => boolean) | undefined;
  /** Called with things that people should know. */
  notify?(text: string): void;
}

/** The state that the first command of a shell begins with: what the user's start-up files leave, read once. */
export class FirstState implements Disposable {
  readonly #options: FirstStateOptions;
  readonly #nextRun: () => string;
  #state: ShellState | undefined;
  #reading: { done: Promise<void>; stop: AbortController; waiting: number } | undefined;
  #closed = false;

  constructor(options: FirstStateOptions, nextRun: () => string) {
    this.#options = options;
    this.#nextRun = nextRun;
  }

  /**
   * Waits no longer than the command may take, whose time this is. When the last command that waits gives up, the
   * start-up is ended: one that took all the time is done without from then on, an interrupted one begins anew.
   */
  async state(
    resources: ShellResources,
    { signal, timeoutMs }: Pick<RunOptions, "signal" | "timeoutMs">,
  ): Promise<ShellState | "abort" | "timeout"> {
    const over = new AbortController();
    const late = sleep(Math.min(timeoutMs, maxTimerMs), AbortSignal.any([signal, over.signal]));
    try {
      while (!this.#state) {
        if (signal.aborted || this.#closed) return "abort";
        this.#reading ??= this.#read(resources);
        const reading = this.#reading;
        reading.waiting++;
        const gaveUp = await Promise.race([reading.done, late]);
        reading.waiting--;
        if (gaveUp === undefined) continue;
        if (reading.waiting === 0) reading.stop.abort(gaveUp);
        // Its traps have their time; it is short.
        await (reading.waiting === 0 && reading.done);
        return gaveUp === "slept" ? "timeout" : "abort";
      }
      return this.#state;
    } finally {
      over.abort();
    }
  }

  /** The same for a caller that only wants to know, and ends nothing by giving up. */
  async early(resources: ShellResources, patienceMs: number): Promise<ShellState | undefined> {
    if (this.#closed) return undefined;
    if (!this.#state) this.#reading ??= this.#read(resources);
    const over = new AbortController();
    await Promise.race([this.#reading?.done, sleep(patienceMs, over.signal)]);
    over.abort();
    return this.#state;
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#reading?.stop.abort("aborted");
  }

  #read(resources: ShellResources) {
    const stop = new AbortController();
    const { cwd, startIn = cwd, env, startup, hidesExport, notify } = this.#options;
    const name = `start${this.#nextRun()}`;
    const file = join(resources.folder, `${name}.state`);
    const read = async () => {
      const reads = resources.shell.dialect === "bash" && startup !== "skip";
      const left = reads ? await runStartupFiles(resources, { name, stateFile: file, env, signal: stop.signal }) : [];
      if (stop.signal.reason === "aborted") {
        this.#reading = undefined;
        return;
      }
      const isRead = reads && typeof left !== "string";
      if (typeof left === "string") notify?.(left);
      if (isRead && hidesExport) hideExports(file, hidesExport);
      if (!isRead) writeFileSync(file, initialState(commandEnv(env)), { mode: 0o600 });
      const options = typeof left === "string" ? [] : left;
      this.#state = stateOf({ file, cwd: isDirectory(startIn) ? startIn : cwd, options });
      // Later states are compared with it; it goes with its directory.
      this.#state.hold();
    };
    return { done: read(), stop, waiting: 0 };
  }
}

/** The most that a timer can be set to. */
const maxTimerMs = 2 ** 31 - 1;
