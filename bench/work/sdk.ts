import { join } from "node:path";
import type { Sample, Work } from "../work.ts";

/** The floor is the first agent, with the runtime and all code. */
const sample = async (): Promise<{ first: number; each: number }> => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "..", "sdk.mjs")], { stdout: "pipe" });
  const [said, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  if (code !== 0) throw new Error(`bench/sdk.mjs ended with ${code}`);
  return JSON.parse(said);
};
let last: Promise<{ first: number; each: number }>;

const work: Work = {
  title: "50 agents of the SDK",
  async floor(): Promise<Sample> {
    last = sample();
    return { memory: (await last).first };
  },
  pith: async (): Promise<Sample> => ({ memory: (await last).each }),
  measures: [{ of: "memory", title: "each beyond the first (floor: the first)", unit: "MB", goal: { atMost: 5 } }],
};
export default work;
