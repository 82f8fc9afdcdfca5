import { readlinkSync } from "node:fs";
import { tryOr } from "@pith/kit";
import { childrenOf } from "../process/table.ts";
import { members } from "../process/tree.ts";
import type { ShellProcess } from "./process.ts";
import type { SupervisedShell } from "./running.ts";
import type { ShellResources } from "./runtime.ts";

/** Lets a command go on without us: out of everything that would end it with us, its output into a file. */
export function detach(
  running: SupervisedShell,
  { slot, tree }: ShellProcess,
  { watchdog, cgroup, keepSandboxFor }: ShellResources,
  log: string,
): "detached" | "over" {
  const first = slot.sandboxed?.firstPid();
  waitForCommand(first === undefined ? running.pid : (childrenOf(first)[0]?.pid ?? running.pid));
  if (running.detach(log) === "over") return "over";
  watchdog?.end(slot.run);
  if (slot.sandboxed) keepSandboxFor(running.pid);
  // A process that was begun between the look and the move is still inside, and would end with us.
  for (let round = 0; round < 100; round++) {
    cgroup?.moveOut(members(tree).map(({ pid }) => pid));
    if (tree.cgroup?.empty() ?? true) break;
  }
  return "detached";
}

/**
 * Waits until a shell that was started a moment ago has entered its control group and read its script, which are both
 * gone when we are. Once the command runs, its input is no longer a pipe of ours.
 */
function waitForCommand(pid: number): void {
  const inputOf = () => tryOr(() => readlinkSync(`/proc/${pid}/fd/0`), "");
  for (let round = 0; round < 500 && /^(?:pipe|socket):/.test(inputOf()); round++) Atomics.wait(nothing, 0, 0, 2);
}

/** Waiting for it to change is a sleep. */
const nothing = new Int32Array(new SharedArrayBuffer(4));
