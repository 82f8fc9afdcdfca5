import { expect, test } from "bun:test";
import type { TurnState } from "@pith/agent";
import { createFakeTimers } from "@pith/tui/test";
import { createCollector } from "./collect.ts";

const begins = { name: "running", calls: [] } as TurnState;
const ends = { name: "idle", end: { reason: "done" } } as TurnState;

test("what a turn left is cleared away while the next one runs, or again and again while nothing happens", () => {
  const timers = createFakeTimers();
  let tidied = 0;
  const rest = createCollector(timers, () => void tidied++);
  const hear = (...states: TurnState[]) => {
    for (const state of states) rest.hear({ type: "turn", state });
  };
  hear(begins, ends);
  timers.advance(100);
  hear(begins);
  timers.advance(1000);
  expect(tidied).toBe(0);
  hear(ends);
  timers.advance(10_000);
  expect(tidied).toBe(1);
});
