import { face } from "../tui/measure.ts";
import type { Work } from "../work.ts";

export default {
  title: "the full screen, to its first request",
  pith: (lab) => face(lab, "pith", "start"),
  floor: (lab) => face(lab, "floor", "start"),
  measures: [
    { of: "composer", title: "start to composer", unit: "ms", goal: { timesFloor: 4 } },
    { of: "request", title: "Enter to the first request", unit: "ms", goal: { timesFloor: 3 } },
    { of: "again", title: "Enter to the next request", unit: "ms", goal: { timesFloor: 3 } },
  ],
} satisfies Work;
