import { type Lab, turns } from "../lab.ts";
import { loop } from "../turn.ts";
import type { Work } from "../work.ts";

// The number makes every command another one, as a loop of equal calls may be stopped.
const run = (lab: Lab, subject: "pith" | "floor") =>
  loop(lab, subject, { play: "calls", turns, tool: "bash", input: { command: "echo turn {n}" } }, `turn ${turns}`);

export default {
  title: `${turns} shell turns`,
  pith: (lab) => run(lab, "pith"),
  floor: (lab) => run(lab, "floor"),
  measures: [
    { of: "turn", title: "one turn", unit: "ms", goal: { timesFloor: 3 } },
    { of: "cpu", title: "CPU", unit: "ms" },
    { of: "rss", title: "peak memory", unit: "MB" },
  ],
} satisfies Work;
