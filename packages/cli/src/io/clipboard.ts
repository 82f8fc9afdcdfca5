import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result, succeeds } from "@pith/kit";

export interface CopyNeeds {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  /** Writes to the terminal; undefined where there is none. */
  write: ((bytes: string) => void) | undefined;
  has?(name: string): boolean;
  run?(program: string, args: readonly string[], input: string): Promise<Result<undefined, "failed">>;
}

/** Bytes that a terminal takes at once, encoded as base64; more may be dropped without a word. */
const maxBytes = 74_000;

interface Copier {
  name: string;
  args: readonly string[];
  /** True when it reaches the clipboard of this person. */
  fits: boolean;
}

/**
 * Puts a text where it can be pasted: by a program of the system, else by the buffer of tmux, else by the terminal.
 * Tells which of them took it, or why none did.
 */
export async function copyText(text: string, needs: CopyNeeds): Promise<Result<string, "failed">> {
  const { env, platform, write, has = (name) => isProgram(name, env.PATH), run = start } = needs;
  const away = env.SSH_CONNECTION !== undefined || env.SSH_TTY !== undefined;
  const copiers: readonly Copier[] = [
    { name: "pbcopy", args: [], fits: platform === "darwin" && !away },
    { name: "clip.exe", args: [], fits: (platform === "win32" || env.WSL_DISTRO_NAME !== undefined) && !away },
    { name: "wl-copy", args: [], fits: env.WAYLAND_DISPLAY !== undefined && !away },
    { name: "xclip", args: ["-selection", "clipboard"], fits: env.DISPLAY !== undefined && !away },
    { name: "xsel", args: ["--clipboard", "--input"], fits: env.DISPLAY !== undefined && !away },
    // `-w` hands it on to the clipboard of the terminal around tmux.
    { name: "tmux", args: ["load-buffer", "-w", "-"], fits: env.TMUX !== undefined },
  ];
  const problems: string[] = [];
  for (const { name, args } of copiers.filter(({ fits, name }) => fits && has(name))) {
    const done = await run(name, args, text);
    if (done.ok) return ok(name === "tmux" ? "tmux's buffer" : name);
    problems.push(`${name}: ${done.message}`);
  }
  const bytes = Buffer.from(text);
  if (write && env.TERM !== "dumb" && env.TERM !== "linux") {
    if (bytes.length <= maxBytes) {
      write(`\x1b]52;c;${bytes.toString("base64")}\x07`);
      return ok("the terminal (OSC 52), if it allows that");
    }
    problems.push(`the terminal takes ${maxBytes} bytes at most, and this has ${bytes.length}`);
  }
  const none = "there is no program for the clipboard here (pbcopy, wl-copy, xclip, xsel), and no tmux";
  return fail("failed", `Not copied: ${problems.join("; ") || none}.`);
}

/** True when a program of that name can be started. */
export function isProgram(name: string, path = ""): boolean {
  return path
    .split(":")
    .filter((dir) => dir.startsWith("/"))
    .some((dir) => succeeds(() => accessSync(join(dir, name), constants.X_OK)));
}

const timeoutMs = 5000;

function start(program: string, args: readonly string[], input: string): Promise<Result<undefined, "failed">> {
  return new Promise((done) => {
    const child = execFile(program, args, { timeout: timeoutMs }, (error, _, stderr) =>
      done(error ? fail("failed", stderr.trim() || error.message) : ok(undefined)),
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
