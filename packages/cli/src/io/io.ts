import { fstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type Clock, fileLog, type Log, pithHome, plainText, systemClock, tryOr } from "@pith/kit";
import { descriptor, patient } from "./descriptor.ts";
import { withDotEnv } from "./dotenv.ts";
import { exit, Interrupts, type Signal } from "./interrupt.ts";
import { Out, type WriteText } from "./out.ts";
import { noHome, userHomeOf } from "./user-home.ts";

/** Everything that commands know of the process around them; a test hands in another. */
export interface Io {
  /** The environment for pith itself, with the values of the user's .env files. */
  env: Readonly<Record<string, string | undefined>>;
  /** The environment as it was given to us, for commands. */
  given?: Readonly<Record<string, string | undefined>>;
  cwd: string;
  userHome: string;
  /** The directory of pith's own files. */
  home: string;
  clock: Clock;
  log: Log;
  out: Out;
  /** Writes to where `out` goes, and is never held up by a reader that stands still. */
  writes: WriteText;
  /** The same object as `out` where both end in one place, so that their texts stay in order. */
  err: Out;
  input: InputSource;
  interrupts: Interrupts;
  /** True when this end is a terminal. */
  isTerminal(end: "in" | "out"): Promise<boolean>;
  /** The device of the terminal around this process, where there is one. */
  device?(): string | undefined;
  /** Destination of the output: a device may be somebody's terminal and is written to with care. */
  outIs: FileKind;
  /** Ends the process at once. */
  quit(code: number): void;
}

/** Sort of file behind a descriptor. */
export type FileKind = "device" | "pipe" | "socket" | "file" | "closed";

export interface InputSource {
  kind: FileKind;
  bytes(): AsyncIterable<Uint8Array>;
}

export function processIo(): Io {
  const userHome = userHomeOf(process.env);
  if (userHome === undefined) {
    process.stderr.write(`pith: ${noHome}\n`);
    process.exit(exit.unfinished);
  }
  const home = pithHome(process.env, userHome);
  const quit = (code: number) => process.exit(code);
  const interrupts = new Interrupts(quit);
  for (const signal of signals()) process.on(signal, () => interrupts.raise(signal));
  const out = new Out(descriptor(1));
  return {
    env: withDotEnv(process.env, { home, userHome }),
    given: process.env,
    cwd: process.cwd(),
    userHome,
    home,
    clock: systemClock,
    log: fileLog(join(home, "logs", "pith.log"), () => Date.now()),
    out,
    writes: patient(1),
    err: isOnePlace(1, 2) ? out : new Out(descriptor(2)),
    input: { kind: kindOf(0), bytes: () => Bun.stdin.stream() },
    interrupts,
    async isTerminal(end) {
      const { isatty } = await import("node:tty");
      return isatty(end === "in" ? 0 : 1);
    },
    device: terminalDevice,
    outIs: kindOf(1),
    quit,
  };
}

/** Tells the user one line, without anything a terminal would obey: it may quote a server, a file or a model. */
export function complain(io: Pick<Io, "err">, text: string): void {
  io.err.write(`${plainText(`pith: ${text}`).trimEnd()}\n`);
}

/** Ends a command that was called wrongly: tells why, and gives the exit code. */
export function usage(io: Pick<Io, "err">, text: string): number {
  complain(io, text);
  return exit.usage;
}

/** Ends a command that could not do its work. */
export function unfinished(io: Pick<Io, "err">, text: string): number {
  complain(io, text);
  return exit.unfinished;
}

/** Writes a value as one line of JSON. For a device, which may be a terminal, characters that it obeys are escaped. */
export function jsonLine(value: unknown, io: Pick<Io, "outIs">): string {
  const line = `${JSON.stringify(value)}\n`;
  return io.outIs === "device"
    ? line.replace(obeyed, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : line;
}
// Characters that JSON leaves as they are: controls, and those that change the direction of text.
const obeyed = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Signals to listen to: all but a hang-up that is ignored, as under nohup; a listener would end that. */
function signals(): Signal[] {
  // No such file outside Linux; there a hang-up always ends the run.
  const status = tryOr(() => readFileSync("/proc/self/status", "latin1"), "");
  const ignored = BigInt(`0x${/^SigIgn:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? 0}`);
  return (ignored & 1n) === 1n ? ["SIGINT", "SIGTERM"] : ["SIGINT", "SIGTERM", "SIGHUP"];
}

function kindOf(descriptor: number): FileKind {
  const stat = tryOr(() => fstatSync(descriptor));
  if (!stat) return "closed";
  if (stat.isFIFO()) return "pipe";
  if (stat.isSocket()) return "socket";
  return stat.isFile() ? "file" : "device";
}

/** True when two descriptors lead to one file, as after `2>&1`. */
const isOnePlace = (one: number, other: number): boolean =>
  tryOr(() => {
    const [a, b] = [fstatSync(one), fstatSync(other)];
    return a.dev === b.dev && a.ino === b.ino;
  }, false);

/** The name of the terminal behind one of our descriptors, where the system tells it. */
const terminalDevice = (): string | undefined =>
  [0, 1, 2]
    .map((end) => tryOr(() => readlinkSync(`/proc/self/fd/${end}`), ""))
    .find((name) => /^\/dev\/(?:pts\/|tty)\w+$/.test(name));
