import { join } from "node:path";
import type { Sample, Work } from "../work.ts";

/** A frame costs what has changed: beside one after a short transcript, for a long one may not be dearer. */
async function run(rows: number): Promise<Sample> {
  const child = Bun.spawn(
    [process.execPath, "--no-install", join(import.meta.dir, "..", "tui", "frame.ts"), `${rows}`],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`no frames over ${rows} rows`);
  return JSON.parse(output) as Sample;
}

export default {
  title: "a frame after 100,000 rows (floor: after 1,000)",
  pith: () => run(100_000),
  floor: () => run(1000),
  measures: [
    { of: "frameMs", title: "one frame", unit: "ms", goal: { timesFloor: 1.5 } },
    { of: "heldMb", title: "memory the rows hold", unit: "MB", goal: { atMost: 10 } },
  ],
} satisfies Work;
