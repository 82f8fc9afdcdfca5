import { openHolder } from "./holder.ts";
import { networkOf } from "./plan/hidden.ts";
import type { SandboxTools } from "./tools.ts";

/** The network that the commands of a session share, apart from everybody else's. */
export interface SandboxNetwork extends Disposable {
  /** Words before a command that is to be in the network. */
  enter: readonly string[];
  /** The folder of a process in it. */
  process: string;
  /** The kernel's name of the network. */
  name: string | undefined;
  /** Settled when it is gone. */
  over: Promise<unknown>;
}

/** Opens a network. The user namespace is for entering it without being root; it gives no rights outside. */
export async function openNetwork({ program, nsenter }: SandboxTools): Promise<SandboxNetwork | undefined> {
  if (nsenter === undefined) return undefined;
  const own = ["--dev-bind", "/", "/", "--unshare-user", "--unshare-net", "--die-with-parent", "--", "/bin/sh", "-c"];
  const holder = await openHolder([program, ...own, "echo $$; read -r _"], /^\d+$/);
  return (
    holder && {
      enter: [nsenter, "-t", holder.line, "--user", "--net", "--preserve-credentials", "--"],
      process: `/proc/${holder.line}`,
      name: networkOf(`/proc/${holder.line}`),
      over: holder.over,
      [Symbol.dispose]: () => holder[Symbol.dispose](),
    }
  );
}
