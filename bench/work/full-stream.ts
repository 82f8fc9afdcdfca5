import { face } from "../tui/measure.ts";
import type { Work } from "../work.ts";

export default {
  title: "the full screen, 2,000 tokens at 200/s",
  pith: (lab) => face(lab, "pith", "stream"),
  floor: (lab) => face(lab, "floor", "stream"),
  measures: [
    { of: "cpuMs", title: "CPU", unit: "ms", goal: { timesFloor: 2.5 } },
    { of: "bytes", title: "bytes to the terminal", unit: "bytes", goal: { timesFloor: 5 } },
    { of: "keyBusy", title: "key to paint, of that while nothing streams", unit: "%", goal: { atMost: 200 } },
  ],
} satisfies Work;
