import { huge, resume, sessionOf, small } from "../session.ts";
import type { Work } from "../work.ts";

export default {
  title: "go on: 1 GB, 200,000 entries (floor: 1 MB)",
  pith: async (lab) => resume(lab, await sessionOf(lab, huge)),
  floor: async (lab) => resume(lab, await sessionOf(lab, small)),
  measures: [
    { of: "request", title: "start to first request", unit: "ms", goal: { timesFloor: 3 } },
    { of: "cpu", title: "CPU", unit: "ms" },
    { of: "rss", title: "peak memory", unit: "MB", goal: { atMost: 150 } },
  ],
} satisfies Work;
