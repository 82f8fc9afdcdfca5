import { join } from "node:path";
import { protocols } from "../protocol.ts";
import type { Sample, Work } from "../work.ts";

/** Every protocol in a fresh process, as an answer finds it: nothing is compiled yet. */
async function run(subject: "pith" | "floor"): Promise<Sample> {
  const figures: Record<string, number> = {};
  for (const api of protocols) {
    const child = Bun.spawn(
      [process.execPath, "--no-install", join(import.meta.dir, "..", "protocol.ts"), api, subject],
      { stdout: "pipe", stderr: "pipe" },
    );
    const [output, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (code !== 0) throw new Error(errors.slice(-500));
    figures[api] = Number(output);
  }
  return figures;
}

export default {
  title: "20,000 chunks decoded",
  pith: () => run("pith"),
  floor: () => run("floor"),
  measures: protocols.map((api) => ({ of: api, title: `CPU, ${api}`, unit: "ms", goal: { timesFloor: 2.5 } })),
} satisfies Work;
