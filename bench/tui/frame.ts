// Frames over a transcript of so many rows: `bun frame.ts <rows>` prints milliseconds per frame, and the memory that
// the rows hold.
import { createScreen, createTranscript, systemTimers } from "../../packages/tui/src/index.ts";

const rows = Number(process.argv[2]);
// So that neither compiled code nor the first heap is counted.
build(20_000);
Bun.gc(true);
const before = process.memoryUsage().heapUsed;
const { screen, transcript } = build(rows);
Bun.gc(true);
const heldMb = (process.memoryUsage().heapUsed - before) / 1e6;
if (screen.history.committed < rows - 1000) throw new Error("rows are missing");
process.stdout.write(`${JSON.stringify({ heldMb, frameMs: frameCost() })}\n`);
process.exit(0);

function build(count: number) {
  const transcript = createTranscript({ gap: 0, history: () => [] });
  const screen = createScreen({
    tty: { columns: 120, rows: 40, write: () => {} },
    panes: [transcript, { render: () => ["> ", "status"], bounds: () => ({ live: 0 }) }],
    timers: systemTimers,
  });
  screen.start();
  for (let at = 0; at < count; at++) {
    const text = `row ${at} of a transcript with some words in it`;
    transcript.add({ final: true, render: () => [text] });
    if (at % 50 === 49) screen.now();
  }
  screen.now();
  return { screen, transcript };
}

function frameCost(): number {
  let text = "";
  transcript.add({ final: false, render: () => [text] });
  const frames = 2000;
  const began = performance.now();
  for (let at = 0; at < frames; at++) {
    text = `growing ${at}`;
    screen.now();
  }
  return (performance.now() - began) / frames;
}
