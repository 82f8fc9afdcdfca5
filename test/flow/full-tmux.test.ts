import { expect, test } from "bun:test";
import { need } from "../need.ts";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { tmuxed } from "../tmux.ts";

test.skipIf(need("tmux") !== undefined)(
  "in tmux a long answer stands in its history once, also when its window changes while it streams",
  async () => {
    using dir = scratch();
    const lines = Array.from({ length: 90 }, (_, at) => `tmux row ${at} end`).join("\n\n");
    // Without a sandbox nothing is announced below the answer.
    const argv = [
      "--sandbox",
      "off",
      ...scripted(dir, { text: lines, chunkSize: 8, chunkDelayMs: 12 }, { text: "After." }),
    ];
    using at = tmuxed(dir, argv, { rows: 20 });
    await at.idle();
    at.type("go\r");
    for (const [row, columns, height] of [
      [5, 80, 30],
      [20, 80, 14],
      [32, 80, 26],
      [50, 60, 18],
      [65, 100, 22],
    ] as const) {
      await at.wrote(`tmux row ${row} end`);
      at.resize(columns, height);
    }
    await at.wrote("tmux row 89 end");
    await at.idle();
    at.type("on\r");
    await at.sees("After.");
    const rows = at.tape().split("\n");
    const counts = Array.from({ length: 90 }, (_, n) => rows.filter((row) => row.includes(`row ${n} end`)).length);
    expect(counts).toEqual(new Array(90).fill(1));
    await at.idle();
    expect(await at.leave()).toBe(0);
  },
  60_000,
);

test.skipIf(need("tmux") !== undefined)(
  "in tmux lines that are broken by a new width stand in its history once",
  async () => {
    using dir = scratch();
    const line = (at: number) => `tmux row ${at} of many that are long enough to break somewhere ${at} end`;
    const text = Array.from({ length: 90 }, (_, at) => line(at)).join("\n\n");
    const argv = ["--sandbox", "off", ...scripted(dir, { text, chunkSize: 20, chunkDelayMs: 12 }, { text: "After." })];
    using at = tmuxed(dir, argv, { rows: 20 });
    await at.idle();
    at.type("go\r");
    for (const [row, columns, height] of [
      [10, 50, 12],
      [30, 80, 24],
      [50, 30, 16],
      [70, 90, 20],
    ] as const) {
      await at.wrote(`tmux row ${row} of`);
      at.resize(columns, height);
    }
    await at.wrote("tmux row 89 of");
    await at.idle();
    at.type("on\r");
    await at.sees("After.");
    const tape = at.tape().replace(/\s+/g, " ");
    const counts = Array.from({ length: 90 }, (_, n) => tape.split(`row ${n} of`).length - 1);
    expect(counts).toEqual(new Array(90).fill(1));
    await at.idle();
    expect(await at.leave()).toBe(0);
  },
  60_000,
);
