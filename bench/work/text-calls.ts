import { join } from "node:path";
import type { Sample, Work } from "../work.ts";

/** In a fresh process, as an answer finds it: nothing is compiled yet. */
async function run(subject: "pith" | "floor"): Promise<Sample> {
  const program = join(import.meta.dir, "..", "text-calls.ts");
  const child = Bun.spawn([process.execPath, "--no-install", program, subject], { stdout: "pipe", stderr: "pipe" });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(errors.slice(-500));
  return { cpu: Number(output) };
}

export default {
  title: "calls looked for in 20,000 chunks (floor: the same stream without)",
  pith: () => run("pith"),
  floor: () => run("floor"),
  measures: [{ of: "cpu", title: "CPU", unit: "ms", goal: { timesFloor: 1.2 } }],
} satisfies Work;
