import type { Lab } from "../lab.ts";
import { ask } from "../turn.ts";
import type { Work } from "../work.ts";

const run = async (lab: Lab, subject: "pith" | "floor") => {
  const { began, ended, cpuMs, peakMb, seen } = await ask(lab, subject, 1);
  const first = seen[0];
  return {
    request: (first?.arrived ?? Number.NaN) - began,
    wall: ended - began,
    cpu: cpuMs,
    rss: peakMb,
    body: first?.bytes ?? 0,
  };
};

export default {
  title: "one prompt",
  pith: (lab) => run(lab, "pith"),
  floor: (lab) => run(lab, "floor"),
  measures: [
    { of: "request", title: "start to first request", unit: "ms", goal: { timesFloor: 5 } },
    { of: "wall", title: "wall", unit: "ms" },
    { of: "cpu", title: "CPU", unit: "ms" },
    { of: "rss", title: "peak memory", unit: "MB", goal: { atMost: 80 } },
    { of: "body", title: "first request", unit: "bytes" },
  ],
} satisfies Work;
