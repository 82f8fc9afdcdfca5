// How processes are begun: the one place of this package that does. Bun's own way, and on Node the same by its means.
import type { SpawnOptions } from "node:child_process";
import { accessSync, constants } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { bunOnly, isBun } from "../platform.ts";

export const spawn = (isBun ? Bun.spawn : spawnOnNode) as typeof Bun.spawn;

export const spawnSync = (isBun ? Bun.spawnSync : spawnSyncOnNode) as typeof Bun.spawnSync;

export type ProcessInput = Pick<Bun.FileSink, "write" | "flush" | "end">;
export type TerminalOptions = Bun.TerminalOptions;

/** What comes out of a pipe of ours. */
export const readFrom = (fd: number): ReadableStream<Uint8Array> => Bun.file(fd).stream();

/** A text as a program of its own, whose arguments follow; nothing around it configures the runtime. */
export const evaluate = (script: string): { argv: string[]; env: Record<string, string> } =>
  isBun
    ? { argv: [process.execPath, "--no-install", "--no-env-file", "-e", script], env: { BUN_BE_BUN: "1" } }
    : { argv: [process.execPath, "--input-type=module-typescript", "-e", script], env: {} };

type Ends = readonly ("pipe" | "ignore" | "inherit" | number | Uint8Array | undefined)[];
type Wanted = Omit<SpawnOptions, "stdio"> & { stdio?: Ends; stdin?: Uint8Array; terminal?: unknown };

function spawnOnNode([program = "", ...args]: readonly string[], { stdio, stdin, terminal, ...options }: Wanted = {}) {
  if (terminal) throw new Error(bunOnly("a terminal for a program"));
  const ends = stdio ?? [stdin, "pipe", "pipe"];
  const given = ends[0] instanceof Uint8Array ? ends[0] : undefined;
  const child = process.getBuiltinModule("node:child_process").spawn(program, args, {
    ...options,
    stdio: ends.map((end) => (end instanceof Uint8Array ? "pipe" : (end ?? "ignore"))),
  });
  // Told to whoever waits for its end, or thrown here.
  child.on("error", () => {});
  const { pid } = child;
  if (pid === undefined) throw new Error(whyNot(program));
  const pipes = [child.stdin, child.stdout, child.stderr].filter((pipe) => pipe !== null);
  // A program that is gone hears nothing.
  for (const pipe of pipes) pipe.on("error", () => {});
  if (given) child.stdin?.end(given);
  const [out, err] = [child.stdout, child.stderr].map((stream) => stream && whole(stream));
  return {
    pid,
    // It is told before what was written last is read; one turn later both are known.
    exited: new Promise<number>((done) => {
      child.once("exit", () => setImmediate(() => setImmediate(() => done(child.exitCode ?? 128))));
    }),
    stdin: child.stdin && !given ? mouth(child.stdin) : undefined,
    get stdout() {
      return out?.();
    },
    get stderr() {
      return err?.();
    },
    get exitCode() {
      return child.exitCode;
    },
    get signalCode() {
      return child.signalCode;
    },
    kill: (signal?: NodeJS.Signals) => void child.kill(signal),
    unref() {
      child.unref();
      for (const pipe of pipes) hold(pipe, "unref");
    },
  };
}

const mouth = (stream: Writable): ProcessInput => ({
  write(words) {
    stream.write(words);
    return 0;
  },
  flush: () => 0,
  end() {
    stream.end();
    return 0;
  },
});

/**
 * Taken from the beginning: what nobody has asked for when the program ends, Node throws away. Whoever reads waits for
 * it, also when nobody waited for the program.
 */
function whole(stream: Readable): () => unknown {
  const web = process.getBuiltinModule("node:stream").Readable.toWeb(stream);
  return () => {
    hold(stream, "ref");
    return web;
  };
}

const hold = (pipe: Readable | Writable, how: "ref" | "unref"): void =>
  void (pipe as import("node:net").Socket)[how]?.();

/** Node tells it later, when nobody listens any more. */
function whyNot(program: string): string {
  if (!program.includes("/")) return `${program} was not found`;
  try {
    accessSync(program, constants.X_OK);
    return `${program} could not be started`;
  } catch (thrown) {
    return String((thrown as Error).message);
  }
}

function spawnSyncOnNode([program = "", ...args]: readonly string[], options: { env?: NodeJS.ProcessEnv } = {}) {
  const { status, stdout, stderr } = process.getBuiltinModule("node:child_process").spawnSync(program, args, options);
  return { exitCode: status ?? 1, stdout, stderr };
}
