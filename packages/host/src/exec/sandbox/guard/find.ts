import { spawn } from "../../platform.ts";

/** Lists paths in some folders by a `find` of its own, so that nobody waits. Undefined where that takes too long. */
export async function find(
  folders: readonly string[],
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<string[] | undefined> {
  if (folders.length === 0) return [];
  const child = spawn(["find", "-P", ...folders, ...wanted], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: findMs,
    killSignal: "SIGKILL",
    signal,
  });
  child.unref();
  const said = await new Response(child.stdout).text().catch(() => undefined);
  await child.exited;
  return said === undefined || child.signalCode !== null ? undefined : said.split("\0").filter((row) => row !== "");
}

/** A larger project than can be gone through in this time is not known. */
export const findMs = 10_000;
