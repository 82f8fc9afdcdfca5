import { messageOf, sleep } from "@pith/kit";
import { spawn } from "../platform.ts";
import { endTree, type ProcessTree } from "../process/tree.ts";
import type { CommandEnd } from "../shell/running.ts";
import { type Screen, terminalScreen, terminalText } from "./screen.ts";

export interface PtyOptions {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  columns: number;
  rows: number;
  timeoutMs: number;
  signal: AbortSignal;
  /** What the program writes, as it comes. */
  onData(chunk: Uint8Array): void;
  tree(group: number): ProcessTree;
}

/** A program at a terminal of its own, with a person at it. */
export interface Pty {
  done: Promise<CommandEnd & { text: string; trouble?: string }>;
  screen(): Screen;
  /** What the person types. */
  write(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Called when there is something new to see. */
  onChange(listener: () => void): void;
}

const scrollback = 5000;

export async function openPty(options: PtyOptions): Promise<Pty> {
  const { Terminal } = await import("@xterm/headless");
  const virtual = new Terminal({ cols: options.columns, rows: options.rows, scrollback, allowProposedApi: true });
  const started = performance.now();
  const listeners = new Set<() => void>();
  const over = Promise.withResolvers<void>();
  let stopped: CommandEnd["end"] | undefined;
  let tree: ProcessTree | undefined;
  let trouble: string | undefined;
  const stop = (end: CommandEnd["end"]) => {
    if (stopped) return;
    stopped = end;
    if (tree) void endTree(tree).then(() => over.resolve());
    else over.resolve();
  };
  let pending = Promise.resolve();
  const child = attempt(
    () =>
      spawn([...options.argv], {
        cwd: options.cwd,
        env: { ...options.env },
        terminal: {
          cols: options.columns,
          rows: options.rows,
          name: "xterm-256color",
          data(_, data) {
            const chunk = Uint8Array.from(data);
            options.onData(chunk);
            pending = new Promise((done) => virtual.write(chunk, done));
            // Not before it can be seen.
            void pending.then(() => {
              for (const listener of listeners) listener();
            });
          },
        },
      }),
    (text) => {
      trouble = text;
    },
  );
  if (child) tree = options.tree(child.pid);
  // The terminal itself answers when a program asks what it is.
  virtual.onData((reply) => void child?.terminal?.write(reply));
  const onAbort = () => stop("abort");
  options.signal.addEventListener("abort", onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  const timer = setTimeout(stop, options.timeoutMs, "timeout");

  const finish = async () => {
    if (child) await Promise.race([child.exited, over.promise]);
    if (stopped && child) await over.promise;
    clearTimeout(timer);
    options.signal.removeEventListener("abort", onAbort);
    if (tree) await endTree(tree);
    // What was written last may still be on its way through the terminal.
    await sleep(10);
    await pending;
    const text = terminalText(virtual);
    child?.terminal?.close();
    virtual.dispose();
    return {
      end: stopped ?? "exit",
      durationMs: performance.now() - started,
      text,
      exitCode: child?.exitCode ?? undefined,
      signal: child?.signalCode?.toString(),
      trouble,
    };
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

function attempt<T>(run: () => T, failed: (text: string) => void): T | undefined {
  try {
    return run();
  } catch (thrown) {
    failed(messageOf(thrown));
    return undefined;
  }
}
