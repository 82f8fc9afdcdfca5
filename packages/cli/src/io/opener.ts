import { spawn } from "node:child_process";
import { isProgram } from "./clipboard.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Program that opens a file or folder outside of the terminal; undefined where nobody would see it. */
function openerIn(env: Env, platform: string): string | undefined {
  if (env.SSH_CONNECTION !== undefined || env.SSH_TTY !== undefined) return undefined;
  const seen = env.DISPLAY !== undefined || env.WAYLAND_DISPLAY !== undefined;
  const name = platform === "darwin" ? "open" : seen ? "xdg-open" : undefined;
  return name !== undefined && isProgram(name, env.PATH) ? name : undefined;
}

/** Opens a file or folder without waiting for it; tells whether the program could be started. */
export async function openOutside(path: string, env: Env, platform: string): Promise<"opened" | "not"> {
  const opener = openerIn(env, platform);
  if (opener === undefined) return "not";
  return new Promise((done) => {
    const child = spawn(opener, [path], { env: { ...env }, stdio: "ignore", detached: true });
    child.once("error", () => done("not"));
    child.once("spawn", () => done("opened"));
    child.unref();
  });
}
