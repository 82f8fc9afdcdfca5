import { expect, test } from "bun:test";
import { block, chrome, lines, stage } from "../test/stage.ts";
import { createTranscript } from "./transcript.ts";

test("mutable rows stay out of history until they are final, however long the block is", () => {
  const transcript = createTranscript({ gap: 0 });
  const live = block(lines(0, 30, "live"), false);
  const { tty, screen } = stage(40, 10, [transcript, chrome("> ")]);
  transcript.add(live);
  screen.now();
  expect(tty.history()).toEqual([]);
  live.rows = lines(0, 30, "final");
  live.final = true;
  screen.now();
  expect(tty.tape()).toEqual([...lines(0, 30, "final"), ">"]);
});

test("a final block is frozen: a later change of it is not shown", () => {
  const transcript = createTranscript();
  const done = block(["done"]);
  const { tty, screen } = stage(40, 10, [transcript]);
  transcript.add(done);
  screen.now();
  done.rows = ["changed"];
  screen.now();
  expect(tty.grid()[0]).toBe("done");
});

test("a growing block enters history as it grows, stops when it is rewritten and goes on after a quiet while", () => {
  const transcript = createTranscript({ gap: 0 });
  const live = block(lines(0, 2), false);
  const { tty, screen } = stage(40, 10, [transcript]);
  transcript.add(live);
  for (let at = 3; at <= 30; at++) {
    live.rows = lines(0, at);
    screen.now();
  }
  expect(tty.history()).toEqual(lines(0, 20));
  live.rows = lines(0, 40).with(25, "rewritten");
  screen.now();
  expect(tty.history().length).toBe(20);
  for (let at = 0; at < 8; at++) screen.now();
  expect(tty.history().length).toBe(30);
});

test("a long prompt above a ticking row reaches history, a slow counter does not spam it", () => {
  const transcript = createTranscript({ gap: 0 });
  const live = block([], false);
  const { tty, screen } = stage(40, 10, [transcript]);
  transcript.add(live);
  const tick = (n: number, count: number) => {
    live.rows = [...lines(0, 20, "prompt"), `counter ${count}`, ...lines(0, 8, "static"), `tick ${n}`];
    screen.now();
  };
  for (let at = 0; at < 30; at++) tick(at, 0);
  expect(tty.history()).toEqual(lines(0, 20, "prompt"));
  for (let at = 0; at < 2000; at++) tick(at, Math.floor(at / 100));
  const history = tty.history();
  expect(history.filter((row) => row === "prompt 0").length).toBe(1);
  expect(history.filter((row) => row.startsWith("counter")).length).toBeLessThanOrEqual(1);
});

test("leaving shows everything, suspending takes the window away, coming back paints it below what came", () => {
  const transcript = createTranscript({ gap: 0 });
  const { tty, screen } = stage(40, 10, [transcript, chrome("> ")]);
  for (const row of lines(0, 30)) transcript.add(block([row]));
  screen.now();
  screen.stop("suspend");
  expect(tty.tape().filter(Boolean)).toEqual(lines(0, 21));
  tty.write("[1]+ Stopped\r\n$ fg\r\n");
  screen.start();
  expect(tty.tape().filter(Boolean)).toEqual([...lines(0, 21), "[1]+ Stopped", "$ fg", ...lines(21, 30), ">"]);
  transcript.add(block(lines(30, 60), false));
  screen.now();
  screen.stop("exit");
  expect(tty.tape().filter(Boolean)).toEqual([...lines(0, 21), "[1]+ Stopped", "$ fg", ...lines(21, 60)]);
  expect(tty.cursor().visible).toBe(true);
});

test("history is asked for again in portions between which keys are answered", () => {
  const total = 5000;
  const transcript = createTranscript({
    gap: 0,
    *history(columns, count) {
      for (let at = 0; at < count; at++) yield [`${columns}: ${at}`];
    },
  });
  const { tty, screen, timers, traces } = stage(40, 10, [transcript, chrome("> ")]);
  for (let at = 0; at < total; at++) {
    transcript.add(block([`40: ${at}`]));
    if (at % 100 === 0) screen.now();
  }
  screen.now();
  tty.resize(30, 10);
  screen.resized();
  traces.length = 0;
  timers.advance(50);
  // The first frame is small, the others grow, and each of them ends with the window as it should be.
  expect(traces[0]?.mode).toBe("clear");
  expect(traces[0]?.chunk).toBeLessThan(500);
  expect(traces.length).toBeGreaterThan(4);
  expect(tty.grid().at(-1)).toBe(">");
  const tape = tty.tape();
  expect(tape.length).toBe(total + 1);
  expect(tape[0]).toBe("30: 0");
  expect(tape.slice(0, 4000)).toEqual(Array.from({ length: 4000 }, (_, at) => `30: ${at}`));
});
