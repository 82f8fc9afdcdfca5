export { type Scratch, scratch } from "../packages/kit/src/test/index.ts";

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

/** Runs a command to its end, with the given environment only. */
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
