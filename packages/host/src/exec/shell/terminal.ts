import type { Tree } from "../process/tree.ts";
import { openPty, type Pty } from "../pty/pty.ts";
import type { ShellCommand } from "./command.ts";
import { inside, type Place } from "./process.ts";
import type { Ground } from "./runtime.ts";
import { cookieName, opening, type Passage } from "./script.ts";
import type { State } from "./state/state.ts";

export type TerminalCommand = ShellCommand & { columns: number; rows: number };

export interface Sitting {
  ground: Ground;
  /** Its number within the session. */
  run: string;
  passage: Passage;
  /** Where it is behind the wall. */
  place: Place | undefined;
  state: State;
  timeoutMs: number;
  /** Its processes are known. */
  begin(tree: Tree): void;
}

/** A shell at a terminal of its own, whose orders are written: none waits for those. */
export function openTerminal(
  { ground, run, passage, place, state, timeoutMs, begin }: Sitting,
  { columns, rows, signal, onData }: TerminalCommand,
): Promise<Pty> {
  const { cookie } = passage;
  const cgroup = ground.cgroup?.child(run, ground.command);
  const doors = cgroup?.doors ?? [];
  const said = opening({
    dialect: "bash",
    groups: place ? [] : doors,
    limits: ground.rlimits,
    check: place?.cell.check,
    folder: place?.folder ?? ground.folder,
    passage,
    from: place ? { file: "from", cwd: state.cwd } : state,
  });
  const argv = ["--norc", "--noprofile", "-c", said];
  return openPty({
    argv: place ? place.cell.wrap([inside(ground.shell.path), ...argv], doors) : [ground.shell.path, ...argv],
    env: { ...ground.env, [cookieName]: cookie, TERM: "xterm-256color" },
    cwd: ground.folder,
    columns,
    rows,
    timeoutMs,
    signal,
    onData,
    tree: (group) => {
      const tree: Tree = {
        group,
        cgroup,
        cookie: `${cookieName}=${cookie}`,
        orphans: ground.libc ? "ours" : "lost",
        walled: place && { keeper: group, first: place.cell.first },
      };
      begin(tree);
      return tree;
    },
  });
}
