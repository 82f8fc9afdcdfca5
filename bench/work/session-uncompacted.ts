// Going on in a session of 1 GB that was never made shorter: what no model could be shown is not read for it.
import { rmSync } from "node:fs";
import type { Lab } from "../lab.ts";
import { sessionOf, uncompacted } from "../session.ts";
import { argsFor } from "../turn.ts";
import type { Work } from "../work.ts";

async function measure(lab: Lab) {
  const file = await sessionOf(lab, uncompacted);
  // As it is for somebody who has it from elsewhere.
  rmSync(`${file}.idx`, { force: true });
  const run = await lab.start("pith", [...argsFor("pith", "say it"), "-r", file, "--no-session"], {
    play: "words",
    count: 1,
  });
  if (run.seen.length === 0) throw new Error(`the session did not go on: ${run.output}`);
  return { wall: run.ended - run.began, rss: run.peakMb };
}

export default {
  title: "go on: 1 GB without a compaction",
  heavy: true,
  pith: measure,
  floor: async () => ({ wall: 0, rss: 0 }),
  measures: [
    { of: "wall", title: "to the end of the answer, a compaction with it", unit: "ms", goal: { atMost: 3000 } },
    { of: "rss", title: "peak memory", unit: "MB", goal: { atMost: 300 } },
  ],
} satisfies Work;
