import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail, messageOf, ok, type Result, sleep, tryOr } from "@pith/kit";
import type { Env } from "../env.ts";
import { type ProcessInput, readFrom, spawn } from "../platform.ts";
import { atExit } from "../process/at-exit.ts";
import { LimitMonitor } from "../process/limit-monitor.ts";
import type { CommandLimits, LimitBreach } from "../process/limits.ts";
import { endTree, killTree, leftovers, type ProcessTree } from "../process/tree.ts";
import type { Violation } from "../sandbox/guard/guard.ts";
import { OutputReader } from "../shell/drain.ts";
import type { ShellResources, ShellRuntime } from "../shell/runtime.ts";
import { findProgram, isProgram } from "./find.ts";
import { makePlace, type ProgramPlace, type ProgramSandbox } from "./place.ts";
import { Tail } from "./tail.ts";

/** A program to start. It has this environment and no other, and no shell reads its words. */
export interface ProgramOptions {
  argv: readonly string[];
  cwd: string;
  env: Env;
  /** `pipe`: `write` fills it. Bytes: all of it, as a file, which it may open by the name `/dev/stdin`. */
  stdin?: "pipe" | Uint8Array | undefined;
  limits?: CommandLimits | undefined;
  /** Without one it runs with the rights of the user. */
  within?: ProgramSandbox | undefined;
}

export interface ProgramEnd {
  exitCode?: number | undefined;
  signal?: string | undefined;
  /** The limit that ended it, or by which the kernel took processes from it. */
  limit?: LimitBreach | undefined;
  /** Set if its sandbox could not be built: nothing has run. */
  unbuilt?: true | undefined;
  violations?: readonly Violation[] | undefined;
}

type Missing = "missing" | "sandbox" | "spawn";

/** Starts a program that stays until it ends by itself, is ended, or this process ends in whatever way. */
export async function startProgram(runtime: ShellRuntime, options: ProgramOptions): Promise<Result<Program, Missing>> {
  const path = programPath(options);
  if (!path.ok) return path;
  const opened = await runtime.open();
  if (!opened.ok) return opened;
  const resources = opened.value;
  const run = runtime.nextRun();
  const { cwd, env, limits = {}, within } = options;
  const argv = [within ? (options.argv[0] ?? "") : path.value, ...options.argv.slice(1)];
  const place = await makePlace(resources, run, { argv, cwd, env, limits, within });
  if (!place.ok) return place;
  try {
    return ok(new Program(resources, run, place.value, options));
  } catch (thrown) {
    place.value.leave();
    return fail("spawn", `${options.argv[0]} could not be started: ${messageOf(thrown)}`);
  }
}

function programPath({ argv: [name = ""], cwd, env }: ProgramOptions): Result<string, "missing"> {
  if (!name.includes("/")) {
    const found = findProgram(name, env.PATH ?? "");
    return found === undefined ? fail("missing", `${name} was not found on PATH`) : ok(found);
  }
  const path = resolve(cwd, name);
  if (isProgram(path)) return ok(path);
  return fail(
    "missing",
    `${path} ${tryOr(() => closeSync(openSync(path, "r")) === undefined, false) ? "may not be executed" : "cannot be opened"}`,
  );
}

/** A program that was started, with its streams. Its processes are one group, and end together. */
export class Program implements AsyncDisposable {
  readonly pid: number;
  /** Its standard output; it waits while nobody reads. */
  readonly output: ReadableStream<Uint8Array>;
  readonly exited: Promise<ProgramEnd>;
  readonly #stdin: ProcessInput | undefined;
  readonly #tail = new Tail(tailBytes);
  readonly #tree: ProcessTree;
  readonly #gone = Promise.withResolvers<"gone">();
  #limit: LimitBreach | undefined;
  #over = false;
  #ending: Promise<void> | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  /** Use `startProgram`. */
  constructor(resources: ShellResources, run: string, place: ProgramPlace, { stdin }: Pick<ProgramOptions, "stdin">) {
    const ends = new Ends(resources, run, stdin);
    const child = ends.spawn(place);
    this.pid = child.pid;
    this.#stdin = stdin === "pipe" ? (child.stdin as ProcessInput) : undefined;
    this.output = ends.output(child.stdout);
    this.#tree = place.tree(child.pid);
    const complaints = new OutputReader([ends.complaints(child.stderr)], (chunk) => this.#tail.add(chunk));
    const stay = atExit(() => killTree(this.#tree));
    resources.watchdog?.begin(run, child.pid);
    const watch = this.#watch(place);
    this.exited = child.exited.then(async () => {
      this.#gone.resolve("gone");
      if (leftovers(this.#tree) === "some") await this.#stop([]);
      await this.#ending;
      this.#over = true;
      await complaints.settle();
      await complaints.close();
      watch?.[Symbol.dispose]();
      stay();
      resources.watchdog?.end(run);
      resources.reaper?.sweep();
      const unbuilt = place.wasBuilt() ? undefined : true;
      const hit = this.#limit ?? hitOf(place);
      const { exitCode, signalCode } = child;
      const violations = place.leave();
      return {
        exitCode: exitCode ?? undefined,
        signal: signalCode === null ? undefined : String(signalCode),
        limit: hit,
        unbuilt,
        violations,
      };
    });
  }

  /** The last of what it wrote on standard error. */
  get complaints(): string {
    return this.#tail.text;
  }

  /** Writes to its input, one after the other; resolves when the program has room for more, or is gone. */
  write(data: string | Uint8Array): Promise<"written" | "gone"> {
    const next = this.#writing.then(() => Promise.race([this.#put(data), this.#gone.promise]));
    this.#writing = next;
    return next;
  }

  /** Says that nothing more will come, behind all that was written. */
  closeInput(): void {
    void this.#writing.then(() => tryOr(() => void Promise.resolve(this.#stdin?.end()).catch(() => {})));
  }

  /** Ends it: closes its input, waits, asks by a signal, kills. With 0 it is killed at once. */
  async end(graceMs = 2000): Promise<ProgramEnd> {
    if (graceMs > 0) {
      // An input that is full is never closed in order: the program does not read.
      this.closeInput();
      const enough = new AbortController();
      await Promise.race([this.exited, sleep(graceMs, enough.signal)]);
      enough.abort();
    }
    await this.#stop(graceMs > 0 ? ["SIGTERM"] : []);
    return this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #put(data: string | Uint8Array): Promise<"written" | "gone"> {
    try {
      this.#stdin?.write(data);
      await this.#stdin?.flush();
      return "written";
    } catch {
      return "gone";
    }
  }

  async #stop(asking: readonly NodeJS.Signals[]): Promise<void> {
    if (this.#over) return;
    this.#ending ??= endTree(this.#tree, asking);
    await this.#ending;
  }

  /** Looks after the limits that the kernel does not enforce. */
  #watch({ unenforced, cwd }: ProgramPlace): Disposable | undefined {
    if (Object.keys(unenforced).length === 0) return undefined;
    const stop = (breach: LimitBreach) => {
      this.#limit ??= breach;
      void this.#stop([]);
    };
    return new LimitMonitor(unenforced).add({ tree: this.#tree, cwd, stop });
  }
}

function hitOf({ cgroup }: ProgramPlace): LimitBreach | undefined {
  const what = cgroup?.takeHit();
  return what && { what, text: `the limit of ${what} was reached` };
}

/** The ends of its streams: real pipes where the C library makes them, so that `/dev/stderr` can be opened in it. */
class Ends {
  readonly #out: { read: number; write: number } | undefined;
  readonly #err: { read: number; write: number } | undefined;
  readonly #in: number | "pipe" | "ignore";

  constructor({ libc, folder }: ShellResources, run: string, stdin: ProgramOptions["stdin"]) {
    this.#out = libc?.openPipe("long");
    this.#err = libc?.openPipe("short");
    this.#in = stdin instanceof Uint8Array ? fileOf(join(folder, `${run}.input`), stdin) : (stdin ?? "ignore");
  }

  spawn({ argv, cwd, env }: ProgramPlace) {
    try {
      const stdio = [this.#in, this.#out?.write ?? "pipe", this.#err?.write ?? "pipe"] as const;
      const child = spawn(argv, { cwd, env, stdio: [...stdio], detached: true });
      // It keeps this process from ending only while somebody waits for it.
      child.unref();
      return child;
    } catch (thrown) {
      for (const pipe of [this.#out, this.#err]) if (pipe) closeSync(pipe.read);
      throw thrown;
    } finally {
      for (const pipe of [this.#out, this.#err]) if (pipe) closeSync(pipe.write);
      if (typeof this.#in === "number") closeSync(this.#in);
    }
  }

  output = (stream: unknown) => streamOf(this.#out?.read, stream);
  complaints = (stream: unknown) => streamOf(this.#err?.read, stream);
}

/** A file that is gone but for the handle on it. */
function fileOf(path: string, bytes: Uint8Array): number {
  writeFileSync(path, bytes, { mode: 0o600, flag: "wx" });
  const file = openSync(path, "r");
  rmSync(path);
  return file;
}

function streamOf(fd: number | undefined, stream: unknown): ReadableStream<Uint8Array> {
  return fd === undefined ? (stream as ReadableStream<Uint8Array>) : closingAtEnd(readFrom(fd), fd);
}

/** Closes the descriptor when the stream is over or nobody wants more of it. */
function closingAtEnd(stream: ReadableStream<Uint8Array>, fd: number): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let open = true;
  const close = () => {
    if (open) tryOr(() => closeSync(fd));
    open = false;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const part = await reader.read();
        if (!part.done) return controller.enqueue(part.value);
        close();
        controller.close();
      },
      async cancel() {
        await reader.cancel();
        close();
      },
    },
    { highWaterMark: 0 },
  );
}

const tailBytes = 16 * 1024;
