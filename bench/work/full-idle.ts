import { face } from "../tui/measure.ts";
import type { Work } from "../work.ts";

export default {
  title: "the full screen at rest",
  pith: (lab) => face(lab, "pith", "idle"),
  floor: (lab) => face(lab, "floor", "idle"),
  measures: [
    // The system counts in steps of 10 ms.
    { of: "idleMs", title: "CPU of two seconds", unit: "ms", goal: { atMost: 0 } },
    { of: "memoryMb", title: "memory", unit: "MB", goal: { atMost: 90 } },
  ],
} satisfies Work;
