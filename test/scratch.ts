import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Scratch extends Disposable {
  path: string;
  at(...parts: string[]): string;
  write(files: Readonly<Record<string, string>>): void;
}

/** A folder that is gone at the end of the block: `using dir = scratch();` */
export function scratch(): Scratch {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "pith-")));
  return {
    path,
    at: (...parts) => join(path, ...parts),
    write(files) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        // A script is meant to be run.
        writeFileSync(join(path, name), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
      }
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | number | null;
  out: string;
  err: string;
}

export interface RunOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
  input?: string | Uint8Array;
}

/** Runs a command to its end, in the given environment and nothing else of ours. */
export async function run(command: string[], { cwd, env, input }: RunOptions): Promise<Ended> {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...env },
    stdin: input === undefined ? "ignore" : Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code: child.exitCode, signal: child.signalCode, out, err };
}
