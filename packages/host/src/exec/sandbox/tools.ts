import type { Env } from "../env.ts";
import { findProgram, isProgram } from "../program/find.ts";

/** The programs that a sandbox is made with. */
export interface SandboxTools {
  /** bubblewrap; on macOS the program that takes the text of `seatbelt.ts`. */
  program: string;
  kind: "bubblewrap" | "seatbelt";
  nsenter: string | undefined;
  bash: string | undefined;
  unshare?: string | undefined;
  mount?: string | undefined;
  /** The program that makes layers where the kernel does not. */
  fuse?: string | undefined;
}

/** Finds them; undefined where there are none. */
export function toolsOf(env: Env): SandboxTools | undefined {
  if (process.platform === "darwin") {
    const program = "/usr/bin/sandbox-exec";
    return isProgram(program) ? { program, kind: "seatbelt", nsenter: undefined, bash: undefined } : undefined;
  }
  const find = (name: string) => findProgram(name, `${env.PATH ?? ""}:/usr/bin:/bin:/usr/local/bin`);
  const program = process.platform === "linux" ? find("bwrap") : undefined;
  if (program === undefined) return undefined;
  const [nsenter, bash, unshare, mount, fuse] = ["nsenter", "bash", "unshare", "mount", "fuse-overlayfs"].map(find);
  return { program, kind: "bubblewrap", nsenter, bash, unshare, mount, fuse };
}
