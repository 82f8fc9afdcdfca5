import type { ProcessTree } from "../process/tree.ts";
import { openPty, type Pty } from "../pty/pty.ts";
import type { ShellCommand } from "./command.ts";
import { nameInSandbox, type SandboxSlot } from "./process.ts";
import type { ShellResources } from "./runtime.ts";
import { bootstrapScript, type CommandFiles, cookieName } from "./script.ts";
import type { ShellState } from "./state/state.ts";

export type TerminalCommand = ShellCommand & { columns: number; rows: number };

export interface TerminalOptions {
  ground: ShellResources;
  /** Its number within the session. */
  run: string;
  passage: CommandFiles;
  /** Where it is behind the wall. */
  place: SandboxSlot | undefined;
  state: ShellState;
  timeoutMs: number;
  /** Its processes are known. */
  begin(tree: ProcessTree): void;
}

/** A shell at a terminal of its own, whose orders are written: none waits for those. */
export function openTerminal(
  { ground, run, passage, place, state, timeoutMs, begin }: TerminalOptions,
  { columns, rows, signal, onData }: TerminalCommand,
): Promise<Pty> {
  const { cookie } = passage;
  const cgroup = ground.cgroup?.child(run, ground.commandLimits);
  const doors = cgroup?.procsFiles ?? [];
  const said = bootstrapScript({
    dialect: "bash",
    groups: place ? [] : doors,
    limits: ground.rlimits,
    check: place?.sandboxed.checkFile,
    folder: place?.folder ?? ground.folder,
    passage,
    from: place ? { file: "from", cwd: state.cwd } : state,
  });
  const argv = ["--norc", "--noprofile", "-c", said];
  return openPty({
    argv: place
      ? place.sandboxed.wrap([nameInSandbox(ground.shell.path), ...argv], doors)
      : [ground.shell.path, ...argv],
    env: { ...ground.env, [cookieName]: cookie, TERM: "xterm-256color" },
    cwd: ground.folder,
    columns,
    rows,
    timeoutMs,
    signal,
    onData,
    tree: (group) => {
      const tree: ProcessTree = {
        group,
        cgroup,
        variable: `${cookieName}=${cookie}`,
        orphans: ground.libc ? "ours" : "lost",
        sandboxed: place && { keeper: group, first: place.sandboxed.firstPid },
      };
      begin(tree);
      return tree;
    },
  });
}
