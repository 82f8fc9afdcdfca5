import { closeSync, existsSync } from "node:fs";
import { codeOf, fail, messageOf, ok, type Result, sleep } from "@pith/kit";
import type { Env } from "./env.ts";
import { endGroup, signalGroup } from "./group.ts";
import { openPipe, type Pipe } from "./pipe.ts";

export interface ShellCommand {
  command: string;
  cwd: string;
  env: Env;
  timeoutMs: number;
  signal: AbortSignal;
  /** stdout and stderr, as they come. */
  onData(chunk: Uint8Array): void;
  /** Absent: bash, or sh where there is none. Never the user's own shell, whose language may differ. */
  shell?: string;
}

export interface Ran {
  end: "exit" | "timeout" | "abort";
  exitCode?: number;
  signal?: string;
  durationMs: number;
  /** Processes that the command had left behind were ended. */
  leftovers?: true;
}

/**
 * Runs a command in its own process group and ends all of that group with it, whether it finished, took too long
 * or was not wanted any more. None of these throws; what fails is only what never ran.
 */
export async function runShell(run: ShellCommand): Promise<Result<Ran, "command" | "spawn">> {
  if (run.signal.aborted) return ok({ end: "abort", durationMs: 0 });
  if (run.command.includes("\0")) return fail("command", "The command holds a NUL character, which no shell can take");
  const started = performance.now();
  const output = await start(run);
  if (!output.ok) return output;
  const { child, streams, close } = output.value;

  let end = "exit" as Ran["end"];
  const given = Promise.withResolvers<void>();
  const stop = (why: Ran["end"]) => {
    if (end !== "exit") return;
    end = why;
    void endGroup(child.pid).then(() => given.resolve());
  };
  const timer = setTimeout(stop, run.timeoutMs, "timeout");
  const onAbort = () => stop("abort");
  run.signal.addEventListener("abort", onAbort, { once: true });
  // When we go down ourselves there is no time to ask.
  const onExit = () => signalGroup(child.pid, "SIGKILL");
  process.once("exit", onExit);

  const drain = new Drain(streams, run.onData);
  try {
    // A process that even SIGKILL does not end must not hold us.
    await Promise.race([child.exited, given.promise]);
    clearTimeout(timer);
    const how = end;
    if (how !== "exit") await given.promise;
    await drain.settle();
    const left = how === "exit" && (await endGroup(child.pid)) === "ended";
    if (left) await drain.settle();
    const { exitCode, signalCode } = child;
    return ok({
      end: how,
      ...(exitCode !== null && { exitCode }),
      ...(signalCode !== null && { signal: String(signalCode) }),
      durationMs: performance.now() - started,
      ...(left && { leftovers: true as const }),
    });
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener("abort", onAbort);
    process.off("exit", onExit);
    await drain.close();
    close();
  }
}

async function start(run: ShellCommand) {
  const pipe = await openPipe();
  const close = () => pipe && closeSync(pipe.read);
  try {
    const child = spawn(run, pipe);
    const streams = pipe ? [Bun.file(pipe.read).stream()] : [child.stdout, child.stderr].filter((stream) => stream instanceof ReadableStream);
    return ok({ child, streams, close });
  } catch (thrown) {
    close();
    if (codeOf(thrown) === "E2BIG") return fail("command", "The command is too long for one call; write it to a script file and run that");
    return fail("spawn", `The shell could not be started: ${messageOf(thrown)}`);
  } finally {
    if (pipe) closeSync(pipe.write);
  }
}

function spawn(run: ShellCommand, pipe: Pipe | undefined) {
  const out = pipe?.write ?? "pipe";
  return Bun.spawn([run.shell ?? defaultShell(), "-c", run.command], {
    cwd: run.cwd,
    env: run.env,
    stdio: ["ignore", out, out],
    detached: true,
  });
}

const defaultShell = (): string => ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find((path) => existsSync(path)) ?? "/bin/sh";

/** Reads the output until it ends, or until waiting for its end is no longer worth it: a process that left the group may hold the pipe for ever. */
class Drain {
  readonly #readers: ReadableStreamDefaultReader<Uint8Array>[];
  readonly #ended: Promise<void>;
  #chunks = 0;
  #done = false;

  constructor(streams: ReadableStream<Uint8Array>[], onData: (chunk: Uint8Array) => void) {
    this.#readers = streams.map((stream) => stream.getReader());
    this.#ended = Promise.all(
      this.#readers.map(async (reader) => {
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          this.#chunks++;
          onData(part.value);
        }
      }),
    ).then(() => {
      this.#done = true;
    });
  }

  /** Waits for the end while something still comes, at most two seconds. */
  async settle(): Promise<void> {
    for (let turn = 0, seen = -1; !this.#done && turn < 20 && seen !== this.#chunks; turn++) {
      seen = this.#chunks;
      const wait = new AbortController();
      await Promise.race([this.#ended, sleep(100, wait.signal)]);
      wait.abort();
    }
  }

  async close(): Promise<void> {
    if (this.#done) return;
    await Promise.all(this.#readers.map((reader) => reader.cancel()));
    await this.#ended;
  }
}
