import { copyFileSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "@pith/kit";
import type { Cgroup } from "../process/cgroup.ts";
import type { ProcessTree } from "../process/tree.ts";
import type { CommandGrants, Sandbox, SandboxedCommand, SandboxKind } from "../sandbox/sandbox.ts";
import type { ShellResources } from "./runtime.ts";
import { bootstrapScript, type CommandFiles, cookieName, type StateAt } from "./script.ts";
import type { SandboxSide } from "./state/pair.ts";
import type { ShellState } from "./state/state.ts";

/** The surroundings of a shell: in a sandbox or not, with the functions that its environment passes on or without. */
export interface ShellPlace {
  sandbox: Sandbox | undefined;
  kind: SandboxKind;
  functions: "exported" | "none";
}

/** True for a side that the sandbox builds. */
export const isSandboxed = (side: SandboxSide): boolean => side !== "outside" && side !== "plain";

interface Wanted {
  side?: SandboxSide | undefined;
  writes?: SandboxKind["writes"] | undefined;
  grants?: CommandGrants | undefined;
}

export function placeOf(
  { side = "outside", writes = side === "reading" ? "nothing" : "project", grants }: Wanted,
  sandbox: Sandbox | undefined,
): ShellPlace {
  const network = side === "networked" ? "host" : side === "reading" ? "none" : "own";
  const also = writes === "project" && grants && grants.writes.length > 0 ? grants.writes : undefined;
  const kind: SandboxKind = { writes, network, also };
  const functions = side === "plain" ? "none" : "exported";
  return { sandbox: isSandboxed(side) ? sandbox : undefined, kind, functions };
}

export interface SlotOptions extends ShellPlace {
  run: string;
  cgroup: Cgroup | undefined;
}

/** The place of one command: its files, its control group, and its sandbox if it has one. */
export class CommandSlot {
  /** The number of the command within the session. */
  readonly run: string;
  readonly files: CommandFiles;
  readonly cgroup: Cgroup | undefined;
  readonly sandboxed: SandboxedCommand | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly #resources: ShellResources;
  /** The directory of the command's files; in a sandbox it has no other of the session. */
  readonly #folder: string;

  private constructor(
    resources: ShellResources,
    { run, cgroup, sandboxed, functions }: SlotOptions & { sandboxed: SandboxedCommand | undefined },
  ) {
    const files = resources.filesOf(run);
    const own = join(resources.folder, run);
    this.run = run;
    this.cgroup = cgroup;
    this.sandboxed = sandboxed;
    this.environment = { ...(functions === "exported" && resources.env), [cookieName]: files.cookie };
    this.#resources = resources;
    this.#folder = sandboxed ? own : resources.folder;
    this.files = sandboxed ? { ...files, stateFile: join(own, "state"), scriptFile: join(own, "orders") } : files;
  }

  /** Undefined if there is a sandbox that cannot be built. */
  static open(resources: ShellResources, options: SlotOptions): CommandSlot | undefined {
    const { run, sandbox, kind } = options;
    if (!sandbox) return new CommandSlot(resources, { ...options, sandboxed: undefined });
    const folder = join(resources.folder, run);
    mkdirSync(folder, { mode: 0o700 });
    const sandboxed = sandbox.command(folder, `${folder}.status`, { kind });
    return sandboxed && new CommandSlot(resources, { ...options, sandboxed });
  }

  /** The command line of a shell for this command; with `from` it runs at once, without it waits for messages. */
  argv(from?: StateAt): string[] {
    const { shell, rlimits } = this.#resources;
    const groups = this.cgroup?.procsFiles ?? [];
    const script = bootstrapScript({
      dialect: shell.dialect,
      groups: this.sandboxed ? [] : groups,
      limits: rlimits,
      check: this.sandboxed?.checkFile,
      folder: this.#folder,
      files: this.files,
      from,
    });
    const args = [...(shell.dialect === "bash" ? ["--norc", "--noprofile"] : []), "-c", script];
    return this.sandboxed?.wrap([nameInSandbox(shell.path), ...args], groups) ?? [shell.path, ...args];
  }

  /** The processes of the command, once its first one runs. */
  tree(pid: number): ProcessTree {
    return {
      group: pid,
      cgroup: this.cgroup,
      variable: `${cookieName}=${this.files.cookie}`,
      orphans: this.#resources.libc ? "ours" : "lost",
      sandboxed: this.sandboxed && { keeper: pid, first: this.sandboxed.firstPid },
    };
  }

  /** A state where the command can read it: for a sandbox it is copied. */
  place(state: ShellState): StateAt {
    if (!this.sandboxed) return state;
    copyFileSync(state.file, join(this.#folder, "from"));
    return { file: "from", cwd: state.cwd };
  }

  /** The file of the state that the command left, where it cannot write any more. */
  takeState(): string {
    const { stateFile } = this.#resources.filesOf(this.run);
    // A command that did not exit by itself has written none.
    if (this.sandboxed) tryOr(() => renameSync(this.files.stateFile, stateFile));
    return stateFile;
  }

  /** Removes the files that only the sandbox has. */
  removeSandboxFiles(): void {
    if (!this.sandboxed) return;
    this.sandboxed.layers?.[Symbol.dispose]();
    rmSync(this.#folder, { recursive: true, force: true });
    rmSync(`${this.#folder}.status`, { force: true });
  }
}

/** A shell tells its own name before its complaints; where it is found anyway, it need not be a path. */
const nameInSandbox = (path: string): string => (/^(?:\/usr)?\/bin\/bash$/.test(path) ? "bash" : path);
