import { join } from "node:path";
import { type Lab, turns } from "../lab.ts";
import { loop } from "../turn.ts";
import type { Work } from "../work.ts";

const run = (lab: Lab, subject: "pith" | "floor") =>
  loop(lab, subject, { play: "calls", turns, tool: "read", input: { path: join(lab.project, "src", "file-{n}.ts") } }, "value199");

export default {
  title: `${turns} read turns, 200 lines each`,
  pith: (lab) => run(lab, "pith"),
  floor: (lab) => run(lab, "floor"),
  measures: [
    { of: "turn", title: "one turn", unit: "ms", goal: { timesFloor: 3 } },
    { of: "cpu", title: "CPU", unit: "ms" },
    { of: "rss", title: "peak memory", unit: "MB" },
  ],
} satisfies Work;
