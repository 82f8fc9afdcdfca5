import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";

/**
 * Turns this process into the given program. Node 22.15 and newer replaces the process; an older Node starts a child
 * with the same stdio, passes signals on, and ends as the child ended.
 */
export async function become(file, args, env) {
  if (process.execve && process.platform !== "win32") process.execve(file, [file, ...args], env);
  // Listen before the start: a signal in between would end this process and leave the child running.
  const passing = forwarded.map((signal) => [signal, () => (isTyped(signal) ? undefined : child.kill(signal))]);
  for (const [signal, pass] of passing) process.on(signal, pass);
  const child = spawn(file, args, { stdio: "inherit", env });
  const [code, signal] = await new Promise((done) => {
    child.on("error", (error) => done([error.message, null]));
    child.on("exit", (...how) => done(how));
  });
  if (typeof code === "string") throw new Error(`${file} cannot be started: ${code}`);
  for (const [name, pass] of passing) process.off(name, pass);
  await finish(code ?? signal);
}

/** Ends this process with an exit code, or by the signal that ended the child. */
async function finish(how) {
  if (typeof how === "number") process.exit(how);
  process.kill(process.pid, how);
  // End even if this process ignores the signal.
  setTimeout(() => process.exit(128 + constants.signals[how]), 200);
  await new Promise(() => {});
}

const forwarded =
  process.platform === "win32"
    ? ["SIGINT", "SIGTERM", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];

/** True when the terminal sent the signal to the child as well: passing it on would deliver it twice. */
function isTyped(signal) {
  if (signal !== "SIGINT" && signal !== "SIGQUIT") return false;
  try {
    const [, , group, , , foreground] = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return group === foreground;
  } catch {
    return process.stdin.isTTY === true;
  }
}
