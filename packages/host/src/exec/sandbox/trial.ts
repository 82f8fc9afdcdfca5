import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, sleep } from "@pith/kit";
import { spawn } from "../platform.ts";

/**
 * Tries on this machine whether a sandbox holds: a secret is not read, nothing is written outside, and no socket and no
 * host is reached. `wrap` makes the command that starts another one shut in; the folder must not be open to it. Empty
 * when all of it was refused.
 */
export async function trySandbox(folder: string, wrap: (argv: readonly string[]) => string[]): Promise<string> {
  // The path of a socket must be short.
  const near = mkdtempSync(join(tmpdir(), "pith-"));
  const [secret, outside, socket] = [join(folder, "secret"), join(folder, "written"), join(near, "s")];
  let reached = 0;
  const server = () =>
    createServer((connection) => {
      reached++;
      connection.destroy();
    });
  const servers = [server(), server()] as const;
  try {
    writeFileSync(secret, "secret\n", { mode: 0o600 });
    const port = await listening(servers[0], { port: 0, host: "127.0.0.1" });
    await listening(servers[1], { path: socket });
    const child = spawn(wrap(["/bin/sh", "-c", script, "sh", secret, outside, socket, String(port)]), {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    });
    child.unref();
    const done = new AbortController();
    const late = await Promise.race([child.exited.then(() => undefined), sleep(patienceMs, done.signal)]);
    done.abort();
    if (late !== undefined) {
      child.kill("SIGKILL");
      return `the sandbox did not answer within ${patienceMs / 1000} s`;
    }
    if (existsSync(outside)) return "a command can write outside of its sandbox";
    if (reached > 0) return "a command can reach a socket or host outside of its sandbox";
    if (child.exitCode === 0) return "";
    const words = (await new Response(child.stderr).text()).trim().split("\n")[0]?.slice(0, 200);
    return unsound[child.exitCode ?? 0] ?? (words || `the sandbox ended with ${child.exitCode}`);
  } catch (thrown) {
    return messageOf(thrown);
  } finally {
    for (const each of servers) each.close();
    for (const path of [secret, outside, near]) rmSync(path, { recursive: true, force: true });
  }
}

/** Without the program that calls, silence would prove nothing. */
const script = `command -v curl >/dev/null || exit 15
{ read -r word <"$1"; } 2>/dev/null && exit 11
{ true >"$2"; } 2>/dev/null
curl -s -m 1 --unix-socket "$3" http://socket/ >/dev/null 2>&1
curl -s -m 1 "http://127.0.0.1:$4/" >/dev/null 2>&1
exit 0`;

const unsound: Readonly<Record<number, string>> = {
  11: "a command can read what its sandbox hides",
  15: "there is no curl, with which the sandbox is tried",
};

function listening(server: Server, at: { port: number; host: string } | { path: string }): Promise<number> {
  return new Promise((done, failed) => {
    server.once("error", failed);
    server.listen(at, () => {
      const address = server.address();
      done(typeof address === "object" && address ? address.port : 0);
    });
  });
}

const patienceMs = 8000;
