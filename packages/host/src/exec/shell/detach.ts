import { childrenOf } from "../process/table.ts";
import { members } from "../process/tree.ts";
import type { ShellProcess } from "./process.ts";
import type { SupervisedShell } from "./running.ts";
import type { ShellResources } from "./runtime.ts";
import { untilBegun } from "./until-begun.ts";

/** Lets a command go on without us, out of everything that would end it with us. */
export function detach(
  running: SupervisedShell,
  carrier: ShellProcess,
  ground: ShellResources,
  log: string,
): "detached" | "over" {
  const first = carrier.sandboxed?.firstPid();
  untilBegun(first === undefined ? running.pid : (childrenOf(first)[0]?.pid ?? running.pid));
  if (running.detach(log) === "over") return "over";
  ground.watchdog?.end(carrier.run);
  if (carrier.sandboxed) ground.keepSandboxFor(running.pid);
  // One that was begun between the look and the move is still inside, and would end with us.
  for (let round = 0; round < 100; round++) {
    ground.cgroup?.moveOut(members(carrier.tree).map(({ pid }) => pid));
    if (carrier.tree.cgroup?.empty() ?? true) break;
  }
  return "detached";
}
