import { closeSync, writeSync } from "node:fs";
import { fail, messageOf, ok, type Result, tryOr } from "@pith/kit";
import { type ProcessInput, readFrom, spawn } from "../platform.ts";
import type { Libc } from "../process/libc.ts";
import type { ProcessTree } from "../process/tree.ts";
import { writeStdin } from "../write-stdin.ts";
import type { ShellResources } from "./runtime.ts";
import { stateMessage } from "./script.ts";
import type { CommandSlot } from "./slot.ts";
import type { ShellState } from "./state/state.ts";

/** Starts a shell in a slot. */
export function spawnShell(resources: ShellResources, slot: CommandSlot): Result<ShellProcess, "spawn"> {
  const pipes = new ShellPipes(resources.libc);
  try {
    return ok(new ShellProcess(resources, slot, pipes));
  } catch (thrown) {
    pipes.close();
    slot.removeSandboxFiles();
    return fail("spawn", `The shell could not be started: ${messageOf(thrown)}`);
  } finally {
    pipes.closeTheirs();
  }
}

/** A shell that waits for the one command it will run. */
export class ShellProcess {
  readonly slot: CommandSlot;
  readonly tree: ProcessTree;
  readonly exited: Promise<number>;
  /** The state that it has loaded. */
  state: ShellState | undefined;
  readonly #dialect: "bash" | "sh";
  readonly #pipes: ShellPipes;
  readonly #child: ReturnType<typeof startShell>;

  constructor({ shell, folder }: ShellResources, slot: CommandSlot, pipes: ShellPipes) {
    this.slot = slot;
    this.#dialect = shell.dialect;
    this.#pipes = pipes;
    this.#child = startShell(slot, pipes, folder, shell.dialect);
    this.tree = slot.tree(this.#child.pid);
    this.exited = this.#child.exited;
  }

  /** The exit code; null while it runs, and after a signal. */
  get code(): number | null {
    return this.#child.exitCode;
  }
  get signal(): string | null {
    const { signalCode } = this.#child;
    return signalCode === null ? null : String(signalCode);
  }
  get isAlive(): boolean {
    return this.code === null && this.signal === null;
  }
  /** The descriptor of the output, where it comes through one pipe of ours. */
  get output(): number | undefined {
    return this.#pipes.output?.read;
  }

  streams(): readonly ReadableStream<Uint8Array>[] {
    if (this.output !== undefined) return [readFrom(this.output)];
    return [this.#child.stdout, this.#child.stderr].filter((stream) => stream instanceof ReadableStream);
  }

  /** Loads a state before the command is known. Only bash can: for sh it is loaded with the command. */
  loadState(state: ShellState): void {
    if (this.state || this.#dialect !== "bash") return;
    this.state = state;
    state.hold();
    this.#say(stateMessage(this.slot.place(state)));
  }

  /** Tells it that the script of its command is written. */
  start(): void {
    this.#say(this.#dialect === "bash" ? "\0" : "\n");
    this.#pipes.closeInput();
    void Promise.resolve(this.#stdin?.end()).catch(() => {});
  }

  /** Closes its pipes, after the end. */
  close(): void {
    this.#pipes.close();
  }

  #say(text: string): void {
    if (this.#stdin) writeStdin(this.#stdin, text);
    else this.#pipes.write(text);
  }

  get #stdin(): ProcessInput | undefined {
    const { stdin } = this.#child;
    return typeof stdin === "object" ? (stdin ?? undefined) : undefined;
  }
}

function startShell(slot: CommandSlot, { stdio }: ShellPipes, cwd: string, dialect: string) {
  const child = spawn(slot.argv(), {
    argv0: slot.sandboxed ? undefined : dialect,
    cwd,
    // The state of the session is all there is, so that a variable that was unset stays unset.
    env: slot.environment,
    stdio,
    detached: true,
  });
  // A shell that waits keeps us from nothing; while it runs, its time limit keeps us from ending.
  child.unref();
  return child;
}

/** The pipes to a shell, where the C library makes them; the runtime makes others. */
class ShellPipes {
  readonly output: { read: number; write: number } | undefined;
  readonly #input: { read: number; write: number } | undefined;
  /** Our ends that are open. */
  readonly #ours: Set<number>;

  constructor(libc: Libc | undefined) {
    this.#input = libc?.openPipe("short");
    this.output = libc?.openPipe("long");
    this.#ours = new Set([this.#input?.write, this.output?.read].filter((end) => end !== undefined));
  }

  get stdio(): ["pipe" | number, "pipe" | number, "pipe" | number] {
    const output = this.output?.write ?? "pipe";
    return [this.#input?.read ?? "pipe", output, output];
  }

  /** Writes to a shell; whoever waits for the end of one that is gone is told then. */
  write(text: string): void {
    const end = this.#input?.write;
    if (end !== undefined && this.#ours.has(end)) tryOr(() => writeSync(end, text));
  }

  closeInput(): void {
    if (this.#input && this.#ours.delete(this.#input.write)) closeSync(this.#input.write);
  }

  close(): void {
    for (const end of this.#ours) closeSync(end);
    this.#ours.clear();
  }

  /** Closes the ends that the shell has inherited. */
  closeTheirs(): void {
    for (const end of [this.#input?.read, this.output?.write]) if (end !== undefined) closeSync(end);
  }
}
