import { closeSync, copyFileSync, mkdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import { readFrom, spawn } from "../platform.ts";
import type { Cgroup } from "../process/cgroup.ts";
import type { ProcessTree } from "../process/tree.ts";
import type { Sandbox, SandboxedCommand, SandboxKind } from "../sandbox/sandbox.ts";
import { writeStdin } from "../write-stdin.ts";
import type { ShellResources } from "./runtime.ts";
import { bootstrapScript, type CommandFiles, cookieName, stateMessage } from "./script.ts";
import type { ShellState } from "./state/state.ts";

/** A shell that waits for the one command it will run. */
export interface ShellProcess {
  files: CommandFiles;
  run: string;
  tree: ProcessTree;
  exited: Promise<number>;
  /** Null while it runs. */
  code(): number | null;
  signal(): string | null;
  streams(): readonly ReadableStream<Uint8Array>[];
  /** The descriptor behind the one stream, where there is one. */
  output: number | undefined;
  /** The state that it has taken on. */
  state: ShellState | undefined;
  /** Lets it take on a state before it is known what it will run. */
  loadState(state: ShellState): void;
  /** Tells it that its orders are written. */
  start(): void;
  /** After the end: nothing more will be said or read. */
  close(): void;
  /** Its place behind the wall. */
  sandboxed?: SandboxedCommand | undefined;
}

/** The place where a shell is made: in a sandbox or not, with the functions that its environment hands on or without. */
export interface ShellPlace {
  sandbox: Sandbox | undefined;
  kind: SandboxKind;
  functions: "exported" | "none";
}

/** `run` is its number within the session. */
export function spawnShell(
  ground: ShellResources,
  run: string,
  cgroup: Cgroup | undefined,
  { sandbox: wall, kind, functions }: ShellPlace,
): Result<ShellProcess, "spawn"> {
  const { shell, libc, env, rlimits: limits } = ground;
  const { dialect } = shell;
  const place = wall ? openSandboxSlot(wall, ground, run, kind) : undefined;
  if (wall && !place) return fail("spawn", "The wall does not stand; the command was not run");
  const { files: passage, folder } = place ?? { files: ground.filesOf(run), folder: ground.folder };
  const [input, output] = [libc?.openPipe("short"), libc?.openPipe("long")];
  const open = new Set([input?.write, output?.read].filter((end) => end !== undefined));
  const shut = (end: number | undefined) => {
    if (end !== undefined && open.delete(end)) closeSync(end);
  };
  const close = () => {
    for (const end of open) shut(end);
  };
  try {
    const doors = cgroup?.procsFiles ?? [];
    const text = bootstrapScript({
      dialect,
      groups: place ? [] : doors,
      limits,
      check: place?.sandboxed.checkFile,
      folder,
      passage,
    });
    const flags = dialect === "bash" ? ["--norc", "--noprofile"] : [];
    const out = output?.write ?? "pipe";
    const argv = place
      ? place.sandboxed.wrap([nameInSandbox(shell.path), ...flags, "-c", text], doors)
      : [shell.path, ...flags, "-c", text];
    const child = spawn(argv, {
      argv0: place ? undefined : dialect,
      cwd: ground.folder,
      // The state of the session is all there is, so that what was unset stays unset.
      env: { ...(functions === "exported" && env), [cookieName]: passage.cookie },
      stdio: [input?.read ?? "pipe", out, out],
      detached: true,
    });
    // One that only waits holds nobody; while it runs, its time limit does.
    child.unref();
    const stdin = typeof child.stdin === "object" ? child.stdin : undefined;
    const say = (words: string) => {
      if (stdin) writeStdin(stdin, words);
      else if (input && open.has(input.write)) speak(input.write, words);
    };
    const carrier: ShellProcess = {
      run,
      files: passage,
      tree: {
        group: child.pid,
        cgroup,
        variable: `${cookieName}=${passage.cookie}`,
        orphans: libc ? "ours" : "lost",
        sandboxed: place && { keeper: child.pid, first: place.sandboxed.firstPid },
      },
      exited: child.exited,
      code: () => child.exitCode,
      signal: () => (child.signalCode === null ? null : String(child.signalCode)),
      streams: () =>
        output
          ? [readFrom(output.read)]
          : [child.stdout, child.stderr].filter((stream) => stream instanceof ReadableStream),
      output: output?.read,
      state: undefined,
      loadState(state) {
        // All that sh can say is said with the command.
        if (carrier.state || dialect !== "bash") return;
        carrier.state = state;
        state.hold();
        // Behind the wall it has its own folder and no other.
        if (place) copyFileSync(state.file, join(folder, "from"));
        say(stateMessage(place ? { file: "from", cwd: state.cwd } : state));
      },
      start() {
        say(dialect === "bash" ? "\0" : "\n");
        shut(input?.write);
        void Promise.resolve(stdin?.end()).catch(() => {});
      },
      close,
      sandboxed: place?.sandboxed,
    };
    return ok(carrier);
  } catch (thrown) {
    close();
    if (place) rmSync(folder, { recursive: true, force: true });
    return fail("spawn", `The shell could not be started: ${messageOf(thrown)}`);
  } finally {
    for (const end of [input?.read, output?.write]) if (end !== undefined) closeSync(end);
  }
}

export interface SandboxSlot {
  files: CommandFiles;
  /** All that a command behind the wall has of the session's files. */
  folder: string;
  sandboxed: SandboxedCommand;
}

export function openSandboxSlot(
  wall: Sandbox,
  ground: ShellResources,
  run: string,
  kind: SandboxKind,
): SandboxSlot | undefined {
  const folder = join(ground.folder, run);
  mkdirSync(folder, { mode: 0o700 });
  const cell = wall.command(folder, `${folder}.status`, { kind });
  if (!cell) return undefined;
  const { cookie } = ground.filesOf(run);
  return {
    folder,
    sandboxed: cell,
    files: { cookie, stateFile: join(folder, "state"), scriptFile: join(folder, "orders") },
  };
}

/** What a command behind the wall wrote is read where it cannot write any more. */
export function moveOutOfSandbox(written: string, to: string): string {
  try {
    renameSync(written, to);
  } catch {
    // It was never written.
  }
  return to;
}

/** A shell tells its own name before its complaints; where it is found anyway, it need not be a path. */
export const nameInSandbox = (path: string): string => (/^(?:\/usr)?\/bin\/bash$/.test(path) ? "bash" : path);

/** One that is gone hears nothing; whoever waits for its end is told. */
function speak(end: number, words: string): void {
  try {
    writeSync(end, words);
  } catch {}
}
