import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "@pith/kit";

export interface CopyNeeds {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  /** Writes to the terminal; undefined where there is none. */
  write: ((bytes: string) => void) | undefined;
  /** Whether the program of that name can be started. */
  has?(name: string): boolean;
  run?(program: string, args: readonly string[], input: string): Promise<Result<undefined, "failed">>;
}

/** Terminals take about this much at once, as the base64 of it; more may be dropped without a word. */
const mostBytes = 74_000;

interface Way {
  name: string;
  args: readonly string[];
  /** Whether it can be meant here. */
  fits: boolean;
}

/**
 * Puts a text where it can be pasted: by the program of the system, by the buffer of tmux, else by the terminal itself.
 * Tells the way that was gone, or why none led there.
 */
export async function copyText(text: string, needs: CopyNeeds): Promise<Result<string, "failed">> {
  const { env, platform, write, has = (name) => isProgram(name, env.PATH), run = start } = needs;
  const away = env.SSH_CONNECTION !== undefined || env.SSH_TTY !== undefined;
  const ways: readonly Way[] = [
    { name: "pbcopy", args: [], fits: platform === "darwin" && !away },
    { name: "clip.exe", args: [], fits: (platform === "win32" || env.WSL_DISTRO_NAME !== undefined) && !away },
    { name: "wl-copy", args: [], fits: env.WAYLAND_DISPLAY !== undefined && !away },
    { name: "xclip", args: ["-selection", "clipboard"], fits: env.DISPLAY !== undefined && !away },
    { name: "xsel", args: ["--clipboard", "--input"], fits: env.DISPLAY !== undefined && !away },
    // `-w` hands it on to the clipboard of the terminal around tmux.
    { name: "tmux", args: ["load-buffer", "-w", "-"], fits: env.TMUX !== undefined },
  ];
  const problems: string[] = [];
  for (const { name, args } of ways.filter(({ fits, name }) => fits && has(name))) {
    const done = await run(name, args, text);
    if (done.ok) return ok(name === "tmux" ? "tmux's buffer" : name);
    problems.push(`${name}: ${done.message}`);
  }
  const bytes = Buffer.from(text);
  if (write && env.TERM !== "dumb" && env.TERM !== "linux") {
    if (bytes.length <= mostBytes) {
      write(`\x1b]52;c;${bytes.toString("base64")}\x07`);
      return ok("the terminal (OSC 52), if it allows that");
    }
    problems.push(`the terminal takes ${mostBytes} bytes at most, and this has ${bytes.length}`);
  }
  const none = "there is no program for the clipboard here (pbcopy, wl-copy, xclip, xsel), and no tmux";
  return fail("failed", `Not copied: ${problems.join("; ") || none}.`);
}

/** Whether the program of that name can be started. */
export function isProgram(name: string, path = ""): boolean {
  return path
    .split(":")
    .filter((dir) => dir.startsWith("/"))
    .some((dir) => {
      try {
        accessSync(join(dir, name), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

const patienceMs = 5000;

function start(program: string, args: readonly string[], input: string): Promise<Result<undefined, "failed">> {
  return new Promise((done) => {
    const child = execFile(program, args, { timeout: patienceMs }, (error, _, stderr) =>
      done(error ? fail("failed", stderr.trim() || error.message) : ok(undefined)),
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
