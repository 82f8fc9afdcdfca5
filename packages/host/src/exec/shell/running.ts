import { openSync } from "node:fs";
import { closing, formatBytes } from "@pith/kit";
import { spawn } from "../platform.ts";
import type { LimitBreach } from "../process/limits.ts";
import { endTree, leftovers } from "../process/tree.ts";
import { OutputReader } from "./drain.ts";
import type { ShellProcess } from "./process.ts";
import type { ShellResources } from "./runtime.ts";

export interface RunOptions {
  /** Infinite where no time is set. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Called with stdout and stderr, as they come. */
  onData(chunk: Uint8Array): void;
  /** Bytes of output after which the command is ended. */
  maxOutput?: number | undefined;
}

export interface CommandEnd {
  end: "exit" | "timeout" | "abort" | "limit" | "detached";
  exitCode?: number;
  signal?: string;
  durationMs: number;
  /** The limit that ended the command or took processes from it. */
  limit?: LimitBreach;
  /** Set if processes that the command had left behind were ended. */
  leftovers?: true;
  /** Time between the end of its output and its own end, where that is long. */
  silentMs?: number;
}

/** Watches a command to its end and leaves nothing of it behind. */
export class SupervisedShell {
  readonly pid: number;
  readonly done: Promise<CommandEnd>;
  readonly #shell: ShellProcess;
  readonly #options: RunOptions;
  readonly #fileSize: number | undefined;
  readonly #started = performance.now();
  readonly #output: OutputReader;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  /** Set when the command was stopped; resolves when its processes have ended. */
  #stopped: Pick<CommandEnd, "end" | "limit"> | undefined;
  readonly #ending = Promise.withResolvers<void>();
  #bytes = 0;
  /** The last bytes of the output. */
  #last: Uint8Array = new Uint8Array(0);

  /** `cwd` is the directory that the command writes to. */
  constructor(shell: ShellProcess, options: RunOptions, { limitMonitor, fileSize }: ShellResources, cwd: string) {
    this.pid = shell.tree.group;
    this.#shell = shell;
    this.#options = options;
    this.#fileSize = fileSize;
    const { signal, timeoutMs } = options;
    const onAbort = () => this.#stop("abort");
    signal.addEventListener("abort", onAbort, { once: true });
    if (Number.isFinite(timeoutMs)) this.#timer = setTimeout(() => this.#stop("timeout"), timeoutMs);
    const watch = limitMonitor.add({ tree: shell.tree, cwd, stop: (breach) => this.#stop("limit", breach) });
    this.#output = new OutputReader(shell.streams(), (chunk) => this.#take(chunk));
    this.done = this.#finish().finally(async () => {
      clearTimeout(this.#timer);
      watch[Symbol.dispose]();
      signal.removeEventListener("abort", onAbort);
      await this.#output.close();
      shell.close();
    });
  }

  /** Lifts the time limit. */
  unlimit(): void {
    clearTimeout(this.#timer);
  }

  /** Lets the command go on without us, its output into a file. */
  detach(log: string): "detached" | "over" {
    const { code, output } = this.#shell;
    if (this.#stopped || code !== null || output === undefined) return "over";
    pump(output, log);
    this.#stopped = { end: "detached" };
    this.#ending.resolve();
    return "detached";
  }

  #stop(end: CommandEnd["end"], limit?: LimitBreach): void {
    if (this.#stopped) return;
    this.#stopped = { end, limit };
    void endTree(this.#shell.tree).then(() => this.#ending.resolve());
  }

  #take(chunk: Uint8Array): void {
    // Output after a limit was hit is dropped: `yes` would never come to an end.
    if (this.#stopped?.limit) return;
    this.#bytes += chunk.length;
    if (this.#fileSize !== undefined)
      this.#last = Buffer.concat([this.#last, chunk.subarray(-lastBytes)]).subarray(-lastBytes);
    this.#options.onData(chunk);
    const { maxOutput = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#bytes > maxOutput) this.#stop("limit", { what: "output", text: "more output than may be kept" });
  }

  async #finish(): Promise<CommandEnd> {
    const shell = this.#shell;
    // A process that even SIGKILL does not end must not hold us.
    await Promise.race([shell.exited, this.#ending.promise]);
    const exitedAt = performance.now();
    if (this.#stopped?.end === "detached") return { end: "detached", durationMs: exitedAt - this.#started };
    if (this.#stopped) await this.#ending.promise;
    await this.#output.settle();
    const left = !this.#stopped && leftovers(shell.tree) === "some";
    if (left) {
      await endTree(shell.tree);
      await this.#output.settle();
    }
    const silentMs = this.#output.endedAt === undefined ? 0 : exitedAt - this.#output.endedAt;
    return {
      end: this.#stopped?.end ?? "exit",
      exitCode: shell.code ?? undefined,
      signal: shell.signal ?? undefined,
      durationMs: performance.now() - this.#started,
      limit: this.#stopped?.limit ?? (shell.code === 0 && !left ? undefined : this.#kernelLimit()),
      leftovers: left || undefined,
      silentMs: silentMs > noticedMs ? silentMs : undefined,
    };
  }

  /** The limit by which the kernel refused or took processes; the command itself may have gone on. */
  #kernelLimit(): LimitBreach | undefined {
    const { code, signal, tree } = this.#shell;
    // A program that does not let the signal end it is refused the write, and says so in the system's words.
    const isTooLarge =
      signal === "SIGXFSZ" || code === endedByFileSize || refusedWrite.test(String(Buffer.from(this.#last)));
    if (this.#fileSize !== undefined && isTooLarge)
      return { what: "file size", text: `a file would have grown beyond ${formatBytes(this.#fileSize)}` };
    const what = tree.cgroup?.takeHit();
    return what && { what, text: kernelLimitTexts[what] };
  }
}

const kernelLimitTexts = {
  memory: "the memory limit was reached and processes were killed",
  processes: "the limit of processes was reached",
} as const;

const handles = process.platform === "darwin" ? "/dev/fd" : "/proc/self/fd";

/** Starts a process that reads the output in our place, also when we are gone. */
function pump(output: number, log: string): void {
  const [from, to] = [openSync(`${handles}/${output}`, "r"), openSync(log, "a", 0o600)];
  using _from = closing(from);
  using _to = closing(to);
  // A file that nobody watches has an end all the same.
  spawn(["/bin/sh", "-c", `ulimit -f ${maxLogBytes / 512}; exec cat`], {
    stdio: [from, to, "ignore"],
    detached: true,
  }).unref();
}

/** The exit code by which a shell tells of a program that SIGXFSZ ended. */
const endedByFileSize = 128 + 25;
const refusedWrite = /\bFile too large\b|\bEFBIG\b/i;
const lastBytes = 4096;
const maxLogBytes = 256 * 1024 * 1024;
const noticedMs = 1000;
