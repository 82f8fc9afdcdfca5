import { runShell } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";

/**
 * Runs the commands after `!` in models.yml, whose output is a key. Each runs once per process unless asked for again,
 * because a password manager asks a person.
 */
export function keyCommands(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): (command: string, how?: "again") => Promise<Result<string, "credential">> {
  const known = new Map<string, Promise<Result<string, "credential">>>();
  return (command, how) => {
    const key = (how === "again" ? undefined : known.get(command)) ?? run(command, cwd, env);
    known.set(command, key);
    return key;
  };
}

const timeoutMs = 30_000;
const maxBytes = 64 * 1024;

async function run(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Result<string, "credential">> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const ran = await runShell({
    // Only its standard output is the key.
    command: `(\n${command}\n) 2>/dev/null`,
    cwd,
    env,
    timeoutMs,
    signal: new AbortController().signal,
    onData: (chunk) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk.slice());
    },
  });
  // The command itself may hold a secret: it is not repeated.
  if (!ran.ok || ran.value.end !== "exit" || ran.value.exitCode !== 0 || size > maxBytes) {
    const code = ran.ok && ran.value.exitCode !== undefined ? ` (exit code ${ran.value.exitCode})` : "";
    return fail("credential", `the command for a key in models.yml failed${code}`);
  }
  return ok(Buffer.concat(chunks).toString("utf8").trim());
}
