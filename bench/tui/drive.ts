import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../../packages/kit/src/test/index.ts";

/** A program in a pty of 120 × 40: what it wrote, what it reported, how much CPU it used. */
export interface Driven extends Disposable {
  readonly bytes: () => number;
  readonly output: () => string;
  /** Content of its report file. */
  readonly report: () => string;
  type(text: string): void;
  cpuMs(): number;
}

export function drive(file: string, args: readonly string[]): Driven {
  const folder = scratch();
  const report = folder.at("report.json");
  const decoder = new TextDecoder();
  let output = "";
  let bytes = 0;
  const child = Bun.spawn([process.execPath, "--no-install", join(import.meta.dir, file), report, ...args], {
    env: { PATH: process.env.PATH, TERM: "xterm-256color", LANG: "C.UTF-8" },
    terminal: {
      cols: 120,
      rows: 40,
      data(_, data) {
        bytes += data.length;
        output += decoder.decode(data, { stream: true });
      },
    },
  });
  return {
    bytes: () => bytes,
    output: () => output,
    report: () => (existsSync(report) ? readFileSync(report, "utf8") : ""),
    type: (text) => void child.terminal?.write(text),
    cpuMs: () => cpuOf(child.pid),
    [Symbol.dispose]() {
      child.kill();
      folder[Symbol.dispose]();
    },
  };
}

// User and system time from /proc, in ticks of 10 ms.
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
