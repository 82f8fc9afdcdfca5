import { expect, test } from "bun:test";
import { createFakeTimers } from "../test/timers.ts";
import { Prober } from "./probe.ts";

test("a terminal that only answers DA1 does not know the question, and nothing stays pending", async () => {
  const sent: string[] = [];
  const prober = new Prober((bytes) => sent.push(bytes), createFakeTimers());
  const keyboard = prober.ask("keyboard", "\x1b[?u");
  const mode = prober.ask("mode", "\x1b[?2026$p", (reply) => reply.mode === 2026);
  expect(sent).toEqual(["\x1b[?u\x1b[c", "\x1b[?2026$p\x1b[c"]);
  expect(prober.hear({ type: "device" })).toBe("owned");
  expect(prober.hear({ type: "mode", mode: 2026, state: "reset" })).toBe("owned");
  expect(prober.hear({ type: "device" })).toBe("owned");
  expect(await keyboard).toBeUndefined();
  expect((await mode)?.state).toBe("reset");
  expect(prober.pending).toBe(0);
  expect(prober.hear({ type: "device" })).toBe("free");
});

test("a program can wait for the answers that are still under way, so that its shell does not read them", async () => {
  const timers = createFakeTimers();
  const prober = new Prober(() => {}, timers);
  const log: string[] = [];
  await prober.quiet();
  void prober.ask("keyboard", "x");
  void prober.quiet().then(() => log.push("quiet"));
  prober.hear({ type: "keyboard", flags: 0 });
  await Bun.sleep(0);
  expect(log).toEqual([]);
  prober.hear({ type: "device" });
  await Bun.sleep(0);
  expect(log).toEqual(["quiet"]);
  void prober.ask("keyboard", "never answered");
  void prober.quiet().then(() => log.push("given up"));
  timers.advance(1000);
  await Bun.sleep(0);
  expect(log).toEqual(["quiet", "given up"]);
});

test("a silent terminal is given up after a while, and its late answer harms no other question", async () => {
  const timers = createFakeTimers();
  const prober = new Prober(() => {}, timers);
  const first = prober.ask("keyboard", "x");
  timers.advance(1000);
  expect(await first).toBeUndefined();
  const second = prober.ask("colour", "y");
  prober.hear({ type: "device" });
  expect(prober.pending).toBe(1);
  prober.hear({ type: "colour", slot: 11, rgb: [0, 0, 0] });
  expect((await second)?.rgb).toEqual([0, 0, 0]);
});
