import { join } from "node:path";
import type { Sample, Work } from "../work.ts";

const figures = join(import.meta.dir, "..", "tui", "stream.ts");

/**
 * The streams run in a pty of their own; the subject is a small program on the terminal engine, not the whole of pith.
 */
async function run(subject: "engine" | "floor"): Promise<Sample> {
  const child = Bun.spawn([process.execPath, "--no-install", figures, subject, "600", "400"], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`the ${subject} did not finish its stream`);
  return JSON.parse(output) as Sample;
}

export default {
  title: "600 tokens at 400/s on the screen",
  pith: () => run("engine"),
  floor: () => run("floor"),
  measures: [
    { of: "cpuMs", title: "CPU", unit: "ms", goal: { timesFloor: 2 } },
    { of: "bytes", title: "bytes to the terminal", unit: "bytes", goal: { timesFloor: 5 } },
  ],
} satisfies Work;
