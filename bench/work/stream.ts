import type { Lab } from "../lab.ts";
import { ask } from "../turn.ts";
import type { Work } from "../work.ts";

const tokens = 20_000;
const run = async (lab: Lab, subject: "pith" | "floor") => {
  const { began, ended, cpuMs, peakMb } = await ask(lab, subject, tokens);
  return { cpu: cpuMs, wall: ended - began, rss: peakMb };
};

export default {
  title: `a stream of ${tokens.toLocaleString("en-US")} tokens`,
  pith: (lab) => run(lab, "pith"),
  floor: (lab) => run(lab, "floor"),
  measures: [
    { of: "cpu", title: "CPU", unit: "ms", goal: { timesFloor: 2.5 } },
    { of: "wall", title: "wall", unit: "ms" },
    { of: "rss", title: "peak memory", unit: "MB" },
  ],
} satisfies Work;
