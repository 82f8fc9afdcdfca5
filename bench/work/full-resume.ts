import { sessionOf } from "../session.ts";
import { face } from "../tui/measure.ts";
import type { Work } from "../work.ts";

/** The floor is the same screen without a session. */
export default {
  title: "the full screen on a session of 5,000 entries",
  pith: async (lab) => face(lab, "pith", "start", await sessionOf(lab, { name: "long", entries: 5000, bytes: 25e6 })),
  floor: (lab) => face(lab, "pith", "start"),
  measures: [{ of: "composer", title: "start to composer", unit: "ms", goal: { timesFloor: 1.3 } }],
} satisfies Work;
