import { expect, test } from "bun:test";
import { block, chrome, lines, stage } from "../test/stage.ts";
import { wrap } from "../text/wrap.ts";
import { createTranscript } from "../transcript/transcript.ts";
import { cursorMark } from "./frame.ts";

test("in a multiplexer nothing is cleared and nothing is lost when the pane changes its size", async () => {
  const transcript = createTranscript({ gap: 0 });
  const { tty, screen, timers } = stage(40, 20, [transcript, chrome("> ")], { multiplexer: true });
  for (const row of lines(0, 50)) transcript.add(block([row]));
  screen.now();
  timers.advance(1000);
  tty.take();
  for (const [columns, rows] of [
    [40, 12],
    [40, 24],
    [20, 24],
    [60, 9],
    [40, 20],
  ] as const) {
    tty.resize(columns, rows);
    screen.resized();
    timers.advance(300);
    await Bun.sleep(0);
    transcript.add(block([`after ${columns}x${rows}`]));
    screen.now();
    timers.advance(2000);
    const tape = tty.tape();
    for (const row of lines(0, 50)) expect(tape).toContain(row);
    expect(tape.filter(Boolean).at(-1)).toBe(">");
  }
  const bytes = tty.take();
  for (const bad of ["\x1b[2J", "\x1b[3J"]) expect(bytes).not.toContain(bad);
  const tape = tty.tape();
  expect(tape.length - new Set(tape).size).toBeLessThan(30);
});

test("a dialog that is open while a multiplexer changes its size leaves every row in history once", async () => {
  const transcript = createTranscript({ gap: 0 });
  const { tty, screen, timers } = stage(40, 20, [transcript, chrome("> ")], { multiplexer: true });
  for (const row of lines(0, 50)) transcript.add(block([row]));
  screen.now();
  timers.advance(1000);
  const dialog = screen.overlay(
    { render: (_, height) => [`find: ${cursorMark}`, ...lines(0, Math.floor(height / 2), "choice")] },
    { anchor: "end", columns: 1 },
  );
  for (const rows of [9, 24, 7, 30, 12, 20]) {
    tty.resize(40, rows);
    screen.resized();
    timers.advance(300);
    await Bun.sleep(0);
    timers.advance(300);
  }
  dialog.close();
  timers.advance(1000);
  expect(tty.tape().filter(Boolean)).toEqual([...lines(0, 50), ">"]);
});

test("a transcript that was read back from disk survives a narrower multiplexer", async () => {
  const text = (at: number) => `block ${at} says something that is longer than the narrow pane is wide`;
  const transcript = createTranscript({
    gap: 0,
    *history(columns, count) {
      for (let at = 0; at < count; at++) yield wrap(text(at), columns);
    },
  });
  transcript.resume(40);
  const { tty, screen, timers } = stage(80, 12, [transcript, chrome("> ")], { multiplexer: true });
  timers.advance(10);
  expect(tty.tape().filter(Boolean)).toEqual([...Array.from({ length: 40 }, (_, at) => text(at)), ">"]);
  tty.resize(30, 12);
  screen.resized();
  timers.advance(300);
  await Bun.sleep(0);
  timers.advance(100);
  const said = tty.tape().join("").replaceAll(" ", "");
  for (let at = 0; at < 40; at++) expect(said).toContain(text(at).replaceAll(" ", ""));
});

test("rows that were on their way while a multiplexer already had another size come again", async () => {
  const transcript = createTranscript({ gap: 0 });
  const { tty, screen, timers } = stage(40, 10, [transcript, chrome("> ")], { multiplexer: true });
  for (const row of lines(0, 30)) transcript.add(block([row]));
  screen.now();
  timers.advance(5000);
  // The pane is larger already, but nobody has told us: the next frame scrolls nothing and writes over rows.
  tty.resize(40, 24);
  for (const row of lines(30, 40)) transcript.add(block([row]));
  screen.now();
  timers.advance(10);
  screen.resized();
  timers.advance(300);
  await Bun.sleep(0);
  const tape = tty.tape();
  for (const row of lines(0, 40)) expect(tape).toContain(row);
});

/** A transcript of long lines, each in as many rows as it takes, in a multiplexer that breaks and joins lines. */
function longLines(columns: number, rows: number) {
  const transcript = createTranscript({ gap: 0 });
  const text = (at: number) => `line ${at} of many that is long enough to be broken in a narrow pane ${at} end`;
  const on = stage(columns, rows, [transcript, chrome("> ")], { multiplexer: true });
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at++) transcript.add({ final: true, render: (wide) => wrap(text(at), wide) });
    on.screen.now();
    on.timers.advance(1000);
  };
  const counts = (to: number) => {
    const tape = on.tty.tape().join(" ").replace(/\s+/g, " ");
    return Array.from({ length: to }, (_, at) => tape.split(`line ${at} of`).length - 1);
  };
  return { ...on, add, counts };
}

test.each([
  ["a narrower one", [80, 12], [[30, 12]]],
  ["a wider one", [50, 12], [[80, 24]]],
  ["a lower and narrower one", [100, 26], [[50, 12]]],
  [
    "two in a row",
    [80, 20],
    [
      [70, 30],
      [30, 16],
    ],
  ],
  [
    "two in a row that end where they began",
    [80, 20],
    [
      [40, 20],
      [80, 20],
    ],
  ],
] as const)(
  "a line that a multiplexer breaks by a new size, %s, stands in history once",
  async (_, [columns, rows], sizes) => {
    for (let before = 20; before < 32; before++) {
      const { tty, screen, timers, add, counts } = longLines(columns, rows);
      add(0, before);
      for (const [wide, high] of sizes) {
        tty.resize(wide, high);
        screen.resized();
        timers.advance(100);
      }
      timers.advance(300);
      await Bun.sleep(0);
      timers.advance(300);
      add(before, 60);
      expect(counts(60)).toEqual(new Array(60).fill(1));
    }
  },
);
