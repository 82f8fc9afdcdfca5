// Going on in a session of 2 GB: offsets beyond 2^31, and no more memory than for 1 MB.
import { resume, type Size, sessionOf, small } from "../session.ts";
import type { Work } from "../work.ts";

const two: Size = { name: "two", entries: 400_000, bytes: 2.2e9 };

export default {
  title: "go on: 2.2 GB, 400,000 entries (floor: 1 MB)",
  heavy: true,
  pith: async (lab) => resume(lab, await sessionOf(lab, two)),
  floor: async (lab) => resume(lab, await sessionOf(lab, small)),
  measures: [
    { of: "request", title: "start to first request", unit: "ms", goal: { timesFloor: 3 } },
    { of: "cpu", title: "CPU", unit: "ms" },
    { of: "rss", title: "peak memory", unit: "MB", goal: { atMost: 150 } },
  ],
} satisfies Work;
