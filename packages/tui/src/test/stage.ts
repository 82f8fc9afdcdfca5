import type { Pane } from "../screen/frame.ts";
import type { FrameTrace } from "../screen/screen.ts";
import { createScreen, type ScreenOptions } from "../screen/screen.ts";
import type { TranscriptBlock } from "../transcript/transcript.ts";
import { createFakeTimers } from "./timers.ts";
import { createVirtualTerminal } from "./virtual-terminal.ts";

// A started screen on a virtual terminal, and the plainest panes and blocks.

export const lines = (from: number, to: number, mark = "row") =>
  Array.from({ length: to - from }, (_, at) => `${mark} ${from + at}`);

export function stage(columns: number, rows: number, panes: readonly Pane[], more: Partial<ScreenOptions> = {}) {
  const tty = createVirtualTerminal(columns, rows);
  const timers = createFakeTimers();
  const traces: FrameTrace[] = [];
  const screen = createScreen({ tty, timers, panes, trace: (each) => traces.push(each), ...more });
  screen.start();
  return { tty, timers, screen, traces, intents: () => traces.splice(0).map((each) => each.mode) };
}

export const textPane = (rows: string[]): Pane & { rows: string[] } => ({
  rows,
  render() {
    return this.rows;
  },
});
export const chrome = (...rows: string[]): Pane => ({ render: () => rows, bounds: () => ({ live: 0 }) });
export const block = (rows: string[], final = true): TranscriptBlock & { rows: string[]; final: boolean } => ({
  rows,
  final,
  render() {
    return this.rows;
  },
});
