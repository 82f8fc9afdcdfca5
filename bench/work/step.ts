import { stepAfter } from "../step.ts";
import type { Work } from "../work.ts";

export default {
  title: "a step after 2,000 messages (floor: after 20)",
  async pith() {
    // The first run warms what both then use.
    await stepAfter(200);
    return stepAfter(2000);
  },
  async floor() {
    await stepAfter(2000);
    return stepAfter(20);
  },
  measures: [{ of: "step", title: "from a result to the next request", unit: "ms", goal: { timesFloor: 1.2 } }],
} satisfies Work;
