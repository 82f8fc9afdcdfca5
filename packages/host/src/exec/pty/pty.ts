import { messageOf, sleep } from "@pith/kit";
import { spawn, type TerminalOptions } from "../platform.ts";
import { endTree, type ProcessTree } from "../process/tree.ts";
import type { CommandEnd, RunOptions } from "../shell/running.ts";
import { type Screen, terminalScreen, terminalText } from "./screen.ts";

export interface PtyOptions extends Pick<RunOptions, "signal" | "onData"> {
  columns: number;
  rows: number;
}

export interface PtyProgram {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  timeoutMs: number;
  /** Called with the first process; returns all that are to end with it. */
  tree(pid: number): ProcessTree;
}

/** A program at a terminal of its own, with a person at it. */
export interface Pty {
  done: Promise<CommandEnd & { text: string; trouble?: string }>;
  screen(): Screen;
  /** Passes keys on that the person has typed. */
  write(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Calls the listener whenever there is something new to see. */
  onChange(listener: () => void): void;
}

const scrollback = 5000;

export async function openPty(options: PtyOptions, program: PtyProgram): Promise<Pty> {
  const { Terminal } = await import("@xterm/headless");
  const { columns: cols, rows, signal } = options;
  const virtual = new Terminal({ cols, rows, scrollback, allowProposedApi: true });
  const started = performance.now();
  const listeners = new Set<() => void>();
  let shown = Promise.resolve();
  const show = (data: Uint8Array) => {
    const chunk = Uint8Array.from(data);
    options.onData(chunk);
    shown = new Promise((done) => virtual.write(chunk, done));
    // Not before it can be seen.
    void shown.then(() => {
      for (const listener of listeners) listener();
    });
  };
  const { child, trouble } = startAt({ cols, rows, name: "xterm-256color", data: (_, data) => show(data) }, program);
  const tree = child && program.tree(child.pid);
  // The terminal itself answers when a program asks what it is.
  virtual.onData((reply) => void child?.terminal?.write(reply));

  const ending = Promise.withResolvers<void>();
  let stopped: CommandEnd["end"] | undefined;
  const stop = (end: CommandEnd["end"]) => {
    if (stopped) return;
    stopped = end;
    void (tree ? endTree(tree) : Promise.resolve()).then(() => ending.resolve());
  };
  const onAbort = () => stop("abort");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = setTimeout(stop, program.timeoutMs, "timeout");
  const finish = async () => {
    if (child) await Promise.race([child.exited, ending.promise]);
    if (child && stopped) await ending.promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    if (tree) await endTree(tree);
    // The last bytes may still be on their way through the terminal.
    await sleep(10);
    await shown;
    const text = terminalText(virtual);
    child?.terminal?.close();
    virtual.dispose();
    const [exitCode, killedBy] = [child?.exitCode ?? undefined, child?.signalCode?.toString()];
    const durationMs = performance.now() - started;
    return { end: stopped ?? "exit", durationMs, text, exitCode, signal: killedBy, trouble };
  };
  return {
    done: finish(),
    screen: () => terminalScreen(virtual),
    write: (keys) => void child?.terminal?.write(keys),
    resize(columns, rows) {
      virtual.resize(columns, rows);
      child?.terminal?.resize(columns, rows);
    },
    onChange: (listener) => void listeners.add(listener),
  };
}

function startAt(terminal: TerminalOptions, { argv, cwd, env }: PtyProgram) {
  try {
    return { child: spawn([...argv], { cwd, env: { ...env }, terminal }) };
  } catch (thrown) {
    return { trouble: messageOf(thrown) };
  }
}
