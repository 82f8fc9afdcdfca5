import { called, commanded, layLarge } from "../tree.ts";
import type { Work } from "../work.ts";

export default {
  title: "read lines 900,000 to 900,050 of 1 GB, against sed",
  // Its lines are too long to be shown whole; the note behind them names the first, which no path asked for.
  pith: (lab) => called(lab, "read", { path: `${layLarge(lab)}:900000-900050` }, "Line 899999"),
  floor: (lab) => commanded(["sed", "-n", "900000,900050p;900050q", layLarge(lab)], "0900050"),
  measures: [
    { of: "turn", title: "one read", unit: "ms", goal: { atMost: 300 } },
    { of: "rss", title: "peak memory", unit: "MB", goal: { atMost: 120 } },
  ],
} satisfies Work;
