import { sleep } from "@pith/kit";
import { spawn } from "../platform.ts";
import { networkOf } from "./plan/hidden.ts";
import type { SandboxTools } from "./probe.ts";

/** The network that the commands of a session share, apart from everybody else's. */
export interface SandboxNetwork extends Disposable {
  /** Words before a command that is to be in the network. */
  enter: readonly string[];
  /** The kernel's name of the network. */
  name: string | undefined;
  /** Settled when it is gone. */
  over: Promise<unknown>;
}

/**
 * Opens a network that one idle process holds, which ends with us. The user namespace is for entering it without being
 * root; it gives no rights outside.
 */
export async function openNetwork({ program, nsenter }: SandboxTools): Promise<SandboxNetwork | undefined> {
  if (nsenter === undefined) return undefined;
  const child = spawn(
    [
      program,
      ...["--dev-bind", "/", "/", "--unshare-user", "--unshare-net", "--die-with-parent", "--", "/bin/sh", "-c"],
      held,
    ],
    { cwd: "/", env: { PATH: "/usr/bin:/bin" }, stdio: ["pipe", "pipe", "ignore"], detached: true },
  );
  child.unref();
  const end = () => child.kill("SIGKILL");
  // Nobody is held up by a patience that was not needed.
  const done = new AbortController();
  const late = sleep(patienceMs, done.signal);
  const pid = await Promise.race([firstLine(child.stdout), late, child.exited.then(() => "")]);
  done.abort();
  if (!/^\d+$/.test(pid)) {
    end();
    return undefined;
  }
  return {
    enter: [nsenter, "-t", pid, "--user", "--net", "--preserve-credentials", "--"],
    name: networkOf(`/proc/${pid}`),
    over: child.exited,
    [Symbol.dispose]: end,
  };
}

/** Resolves when the process has ended, which it does once nobody holds its input. */
const held = "echo $$; read -r _";
const patienceMs = 3000;

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += Buffer.from(chunk).toString("latin1");
    if (text.includes("\n")) break;
  }
  return text.split("\n")[0] ?? "";
}
