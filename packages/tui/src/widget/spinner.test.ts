import { expect, test } from "bun:test";
import type { Pane } from "../screen/frame.ts";
import { createFakeTimers } from "../test/timers.ts";
import { builtinTheme } from "../theme/palette.ts";
import { createSpinner } from "./spinner.ts";

test("a spinner turns every 80 ms, asks for its own pane only, and stands still where motion is unwanted", () => {
  const timers = createFakeTimers();
  const asked: Pane[] = [];
  const spinner = createSpinner(builtinTheme({ level: "none" }), timers, (pane) => asked.push(pane));
  spinner.start("working");
  const seen = new Set<string>();
  for (let at = 0; at < 10; at++) {
    seen.add(spinner.render(40, 1)[0] ?? "");
    timers.advance(80);
  }
  expect(asked.length).toBe(10);
  expect(asked.every((pane) => pane === spinner)).toBe(true);
  expect(seen.size).toBe(10);
  spinner.stop();
  timers.advance(10_000);
  expect(asked.length).toBe(10);
  const still = createSpinner(builtinTheme({ level: "none", reducedMotion: true }), timers, (pane) => asked.push(pane));
  still.start("working");
  timers.advance(900);
  expect(asked.length).toBe(10);
  expect(still.render(40, 1)).toEqual(["• working"]);
});

test("a spinner that is painted with something else asks for no frame of its own, and goes on when that ends", () => {
  const timers = createFakeTimers();
  let asked = 0;
  const spinner = createSpinner(builtinTheme({ level: "none" }), timers, () => asked++);
  spinner.start("working");
  for (let at = 0; at < 12; at++) {
    timers.advance(66);
    spinner.render(40, 1);
  }
  expect(asked).toBe(0);
  timers.advance(160);
  expect(asked).toBeGreaterThan(0);
});
