import { stepAfter } from "../step.ts";
import type { Work } from "../work.ts";

export default {
  title: "a step after 2,000 turns with compactions (floor: after 20 without)",
  async pith() {
    // The first run warms what both then use.
    await stepAfter(200, 32_000);
    return stepAfter(4000, 32_000);
  },
  async floor() {
    await stepAfter(2000, 32_000);
    return stepAfter(40, 32_000);
  },
  measures: [{ of: "step", title: "from a result to the next request", unit: "ms", goal: { timesFloor: 1.2 } }],
} satisfies Work;
