import { closeSync, openSync } from "node:fs";
import { formatBytes } from "@pith/kit";
import { spawn } from "../platform.ts";
import type { LimitMonitor } from "../process/limit-monitor.ts";
import type { LimitBreach } from "../process/limits.ts";
import { endTree, leftovers } from "../process/tree.ts";
import { OutputReader } from "./drain.ts";
import type { ShellProcess } from "./process.ts";

export interface RunOptions {
  /** Infinite where no time is set. */
  timeoutMs: number;
  signal: AbortSignal;
  /** stdout and stderr, as they come. */
  onData(chunk: Uint8Array): void;
  /** Bytes of output after which the command is ended. */
  maxOutput?: number | undefined;
}

export interface RunLimits {
  limitMonitor: LimitMonitor;
  /** Where the command writes. */
  cwd: string;
  /** Bytes of one file; the system ends who writes more. */
  fileSize: number | undefined;
}

/** How a command ended. */
export interface CommandEnd {
  end: "exit" | "timeout" | "abort" | "limit" | "detached";
  exitCode?: number;
  signal?: string;
  durationMs: number;
  /** Which limit ended it or took processes from it. */
  limit?: LimitBreach;
  /** Processes that the command had left behind were ended. */
  leftovers?: true;
  /** It closed its output this long before it ended. */
  silentMs?: number;
}

/** A command between its start and its end. */
export interface SupervisedShell {
  pid: number;
  done: Promise<CommandEnd>;
  /** From now on it may take as long as it likes. */
  unlimit(): void;
  /** Lets it go on without us, its output into a file. */
  detach(log: string): "detached" | "over";
}

/** Watches one command to its end and leaves nothing of it behind. */
export function supervise(
  carrier: ShellProcess,
  watching: RunOptions,
  { limitMonitor: lookout, cwd, fileSize }: RunLimits,
): SupervisedShell {
  const started = performance.now();
  const { tree } = carrier;
  let stopped: { end: CommandEnd["end"]; limit?: LimitBreach } | undefined;
  const ending = Promise.withResolvers<void>();
  const stop = (end: CommandEnd["end"], limit?: LimitBreach) => {
    if (stopped) return;
    stopped = { end, limit };
    void endTree(tree).then(() => ending.resolve());
  };
  const onAbort = () => stop("abort");
  watching.signal.addEventListener("abort", onAbort, { once: true });
  const timer = Number.isFinite(watching.timeoutMs) ? setTimeout(stop, watching.timeoutMs, "timeout") : undefined;
  const looking = lookout.add({ tree, cwd, stop: (breach) => stop("limit", breach) });
  const forget = () => {
    clearTimeout(timer);
    looking[Symbol.dispose]();
    watching.signal.removeEventListener("abort", onAbort);
  };

  let bytes = 0;
  let last: Uint8Array = new Uint8Array(0);
  const drain = new OutputReader(carrier.streams(), (chunk) => {
    // What was under way when it was stopped is not asked for: `yes` would never come to an end.
    if (stopped?.limit) return;
    bytes += chunk.length;
    if (fileSize !== undefined) last = Buffer.concat([last, chunk.subarray(-lastBytes)]).subarray(-lastBytes);
    watching.onData(chunk);
    if (watching.maxOutput !== undefined && bytes > watching.maxOutput)
      stop("limit", { what: "output", text: "more output than may be kept" });
  });

  const finish = async (): Promise<CommandEnd> => {
    try {
      // A process that even SIGKILL does not end must not hold us.
      await Promise.race([carrier.exited, ending.promise]);
      const exitedAt = performance.now();
      if (stopped && stopped.end !== "detached") await ending.promise;
      if (stopped?.end === "detached") return { end: "detached", durationMs: exitedAt - started };
      await drain.settle();
      const left = !stopped && leftovers(tree) === "some";
      if (left) {
        await endTree(tree);
        await drain.settle();
      }
      const hit = stopped?.limit ?? (carrier.code() === 0 && !left ? undefined : kernelLimit(carrier, fileSize, last));
      const silentMs = drain.endedAt === undefined ? 0 : exitedAt - drain.endedAt;
      return {
        end: stopped?.end ?? "exit",
        exitCode: carrier.code() ?? undefined,
        signal: carrier.signal() ?? undefined,
        durationMs: performance.now() - started,
        limit: hit,
        leftovers: left || undefined,
        silentMs: silentMs > noticedMs ? silentMs : undefined,
      };
    } finally {
      forget();
      await drain.close();
      carrier.close();
    }
  };
  return {
    pid: tree.group,
    done: finish(),
    unlimit: () => clearTimeout(timer),
    detach(log) {
      if (stopped || carrier.code() !== null || carrier.output === undefined) return "over";
      pump(carrier.output, log);
      stopped = { end: "detached" };
      ending.resolve();
      return "detached";
    },
  };
}

/** Processes that the kernel refused or took; the command itself may have gone on. */
function kernelLimit(
  { tree, code, signal }: ShellProcess,
  fileSize: number | undefined,
  last: Uint8Array,
): LimitBreach | undefined {
  // Who does not let the signal end it is refused the write, and says so in the system's words.
  const tooLarge =
    signal() === "SIGXFSZ" || code() === endedByFileSize || refusedWrite.test(Buffer.from(last).toString());
  if (fileSize !== undefined && tooLarge)
    return { what: "file size", text: `a file would have grown beyond ${formatBytes(fileSize)}` };
  const what = tree.cgroup?.takeHit();
  return (
    what && {
      what,
      text:
        what === "memory"
          ? "the memory limit was reached and processes were killed"
          : "the limit of processes was reached",
    }
  );
}

/** Reads on in our place, without us. */
function pump(output: number, log: string): void {
  const [from, to] = [openSync(`/proc/self/fd/${output}`, "r"), openSync(log, "a", 0o600)];
  try {
    // A file that nobody watches has an end all the same.
    spawn(["/bin/sh", "-c", `ulimit -f ${mostBytes / 512}; exec cat`], {
      stdio: [from, to, "ignore"],
      detached: true,
    }).unref();
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

/** As a shell tells of a program that SIGXFSZ ended. */
const endedByFileSize = 128 + 25;
const refusedWrite = /\bFile too large\b|\bEFBIG\b/i;
const lastBytes = 4096;
const mostBytes = 256 * 1024 * 1024;
const noticedMs = 1000;
