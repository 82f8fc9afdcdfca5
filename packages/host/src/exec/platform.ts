// The one place of this package that starts processes: by Bun's own calls, and on Node by the same on top of its own.
import type { SpawnOptions } from "node:child_process";
import { accessSync, constants } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { messageOf } from "@pith/kit";
import { bunOnly, isBun } from "../platform.ts";

export const spawn = (isBun ? Bun.spawn : spawnOnNode) as typeof Bun.spawn;

export const spawnSync = (isBun ? Bun.spawnSync : spawnSyncOnNode) as typeof Bun.spawnSync;

export type ProcessInput = Pick<Bun.FileSink, "write" | "flush" | "end">;
export type TerminalOptions = Bun.TerminalOptions;

/** The bytes of a pipe of ours. */
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
  // The end tells of a failure, or the throw below.
  child.on("error", () => {});
  const { pid } = child;
  if (pid === undefined) throw new Error(whyNot(program));
  const pipes = [child.stdin, child.stdout, child.stderr].filter((pipe) => pipe !== null);
  // A program that is gone reads nothing.
  for (const pipe of pipes) pipe.on("error", () => {});
  if (given) child.stdin?.end(given);
  const [out, err] = [child.stdout, child.stderr].map((stream) => stream && whole(stream));
  return {
    pid,
    // The exit is reported before the last output is read; one turn later both are known.
    exited: new Promise<number>((done) => {
      child.once("exit", () => setImmediate(() => setImmediate(() => done(child.exitCode ?? 128))));
    }),
    stdin: child.stdin && !given ? inputOf(child.stdin) : undefined,
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

const inputOf = (stream: Writable): ProcessInput => ({
  write: (text) => Number(stream.write(text)),
  flush: () => 0,
  end: () => Number(stream.end().writableEnded),
});

/**
 * The output of a program, taken from the beginning: Node throws away what nobody has asked for when the program ends.
 * A reader keeps this process from ending, also where nobody waited for the program.
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

/** Why a program did not start; Node tells it later, when nobody listens any more. */
function whyNot(program: string): string {
  if (!program.includes("/")) return `${program} was not found`;
  try {
    accessSync(program, constants.X_OK);
  } catch (thrown) {
    return messageOf(thrown);
  }
  return `${program} could not be started`;
}

function spawnSyncOnNode([program = "", ...args]: readonly string[], options: { env?: NodeJS.ProcessEnv } = {}) {
  const { status, stdout, stderr } = process.getBuiltinModule("node:child_process").spawnSync(program, args, options);
  return { exitCode: status ?? 1, stdout, stderr };
}
