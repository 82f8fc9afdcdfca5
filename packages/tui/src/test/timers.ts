import type { Timers } from "../screen/scheduler.ts";

/** Time that stands still until a test moves it. */
export interface FakeTimers extends Timers {
  advance(ms: number): void;
}

export function createFakeTimers(): FakeTimers {
  let time = 0;
  let plans: { due: number; call: () => void }[] = [];
  return {
    now: () => time,
    after(ms, call) {
      const plan = { due: time + ms, call };
      plans.push(plan);
      return () => {
        plans = plans.filter((each) => each !== plan);
      };
    },
    advance(ms) {
      const end = time + ms;
      for (;;) {
        const next = plans.filter((plan) => plan.due <= end).sort((a, b) => a.due - b.due)[0];
        if (!next) break;
        plans = plans.filter((plan) => plan !== next);
        time = Math.max(time, next.due);
        next.call();
      }
      time = end;
    },
  };
}
