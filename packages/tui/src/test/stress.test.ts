import { expect, test } from "bun:test";
import { createScreen } from "../screen/screen.ts";
import { type Operation, randomTrace, shapes } from "./operation.ts";
import { createSecondTerminals } from "./second-terminal.ts";
import { play, shorten, stress } from "./stress.ts";
import { createFakeTimers } from "./timers.ts";
import { recordTty, replay } from "./trace.ts";
import { createVirtualTerminal } from "./virtual-terminal.ts";

test("after random operations on every shape of terminal, each line of it is what it has to be", async () => {
  const { failure, operations } = await stress(shapes, [7], 60, { second: createSecondTerminals() });
  expect(failure).toBeUndefined();
  expect(operations).toBe(shapes.length * 60);
}, 120_000);

test("a fresh screen asked for in a multiplexer brings nothing into history behind an overlay", async () => {
  const shape = shapes.find(({ name }) => name === "multiplexer, small");
  if (!shape) throw new Error("no such shape");
  const trace: Operation[] = [{ op: "overlay" }, { op: "append", rows: 8 }, { op: "redraw" }, { op: "overlay" }];
  expect(await play(shape, 506, trace)).toBeUndefined();
});

test("a painter that forgets to erase, to insert, to scroll or to hold the line is caught", async () => {
  const spoil: Record<string, (bytes: string) => string> = {
    erase: (bytes) => bytes.replace("\x1b[K", ""),
    insert: (bytes) => bytes.replaceAll("\x1b[L", ""),
    scroll: (bytes) => bytes.replace("\r\n", "\r\n\r\n"),
    autowrap: (bytes) => bytes.replace("\x1b[?7h", ""),
    clear: (bytes) => `\x1b[2J${bytes}`,
  };
  const usual = shapes[0];
  if (!usual) throw new Error("no shapes");
  for (const [name, sabotage] of Object.entries(spoil))
    expect([name, (await play(usual, 3, randomTrace(usual, 3, 100), { sabotage })) !== undefined]).toEqual([
      name,
      true,
    ]);
});

test("a failing trace is shortened to the operations that matter", async () => {
  const usual = shapes[0];
  if (!usual) throw new Error("no shapes");
  const sabotage = (bytes: string) => bytes.replace("\x1b[K", "");
  const trace = randomTrace(usual, 3, 100);
  const shortest = await shorten(usual, 3, trace, { sabotage });
  expect(shortest?.trace.length).toBeLessThanOrEqual(4);
});

test("a recorded trace shows every frame again", () => {
  const terminal = createVirtualTerminal(40, 10);
  const tty = recordTty(terminal);
  let rows: string[] = [];
  const timers = createFakeTimers();
  const screen = createScreen({ tty, timers, panes: [{ render: () => rows }] });
  screen.start();
  for (let at = 0; at < 30; at++) {
    rows = [...rows, `row ${at}`];
    screen.now();
    if (at === 20) {
      terminal.resize(30, 8);
      screen.resized();
      timers.advance(50);
    }
  }
  const again = createVirtualTerminal(40, 10);
  let steps = 0;
  replay(tty.trace, again, () => {
    steps++;
  });
  expect(again.tape()).toEqual(terminal.tape());
  expect(steps).toBe(tty.trace.length);
});
