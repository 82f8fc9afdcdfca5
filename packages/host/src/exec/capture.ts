import type { Env } from "./env.ts";

export interface CaptureOptions {
  cwd: string;
  env: Env;
  input?: Uint8Array;
  timeoutMs: number;
}

export interface Captured {
  code: number;
  out: Buffer;
}

/**
 * Runs a program of ours to its end and hands over what it wrote, byte for byte. Undefined when it cannot be started
 * or takes too long.
 */
export async function capture(
  argv: [string, ...string[]],
  { cwd, env, input, timeoutMs }: CaptureOptions,
): Promise<Captured | undefined> {
  try {
    const child = Bun.spawn(argv, {
      cwd,
      env: { ...env },
      stdin: input ?? "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const out = Buffer.from(await new Response(child.stdout).arrayBuffer());
    const code = await child.exited;
    return child.signalCode ? undefined : { code, out };
  } catch {
    return undefined;
  }
}
