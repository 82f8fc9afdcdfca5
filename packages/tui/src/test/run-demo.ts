// A program to drive in real terminals (`run-demo.ts <terminal> [<log of frames>]`): `add N` appends N numbered rows,
// `live N` a block of N rows that is not final, `done` ends it,
// `box` opens and closes an overlay, `crash` and `kill TERM` end it hard, Ctrl+Z suspends, Ctrl+Q leaves.
import { writeSync } from "node:fs";
import { fileLog } from "@pith/kit";
import {
  createEditor,
  createScreen,
  createTerminal,
  createTranscript,
  detectCapabilities,
  frameLog,
  type OverlayHandle,
  plainTheme,
  restoreOnExit,
  type Screen,
  suspendable,
  systemTimers,
  type TranscriptBlock,
  type TtyIn,
  type TtyOut,
} from "../index.ts";
import { boxView, textView } from "./box.ts";

const [, , term, log] = process.argv;
const capabilities = detectCapabilities(
  { TERM: term, TMUX: term?.startsWith("tmux") ? "1" : undefined, PITH_DEBUG_REDRAW: log ? "1" : undefined },
  "linux",
);
const transcript = createTranscript({ gap: 0 });
const editor = createEditor({ theme: plainTheme, timers: systemTimers, submit: ({ text }) => obey(text) });
let screen: Screen;
let rows = 0;
let open: (TranscriptBlock & { final: boolean }) | undefined;
let box: OverlayHandle | undefined;

const terminal = createTerminal({
  input: process.stdin as unknown as TtyIn,
  output: process.stdout as unknown as TtyOut,
  capabilities,
  timers: systemTimers,
  received(events) {
    for (const event of events) {
      if (event.type === "key" && event.combo === "ctrl+q") return void leave();
      if (event.type === "key" && event.combo === "ctrl+z") return suspend();
    }
    screen.input(...events);
  },
  resized: () => screen.resized(),
  closed: () => process.exit(1),
});
screen = createScreen({
  tty: terminal,
  panes: [transcript, editor],
  timers: systemTimers,
  multiplexer: capabilities.multiplexer,
  trace: capabilities.logsFrames ? frameLog(fileLog(log ?? "", Date.now)) : undefined,
});
screen.focus.set(editor);
const forget = restoreOnExit(process, process.stdin, (bytes) => void writeSync(1, bytes));
const suspend = suspendable(process, pause, resume);
terminal.start();
screen.start();

function obey(text: string) {
  editor.clear();
  const [verb, count = "1"] = text.split(" ");
  const fresh = () => Array.from({ length: Number(count) }, () => `row ${rows++}.`);
  if (verb === "add") for (const row of fresh()) transcript.add({ final: true, render: () => [row] });
  else if (verb === "live") {
    const rows = fresh();
    open = { final: false, render: () => rows };
    transcript.add(open);
  } else if (verb === "done" && open) open.final = true;
  else if (verb === "box") {
    if (box) box.close();
    box = box
      ? undefined
      : screen.overlay(
          boxView(
            plainTheme,
            () => "box",
            textView(() => "over the rows"),
          ),
          { columns: 30 },
        );
    screen.focus.set(editor);
  } else if (verb === "crash") throw new Error("on purpose");
  else if (verb === "kill") process.kill(process.pid, `SIG${count}`);
}
function pause() {
  screen.stop("suspend");
  terminal.stop();
}
function resume() {
  terminal.start();
  screen.start();
}
async function leave() {
  await terminal.prober.quiet();
  screen.stop("exit");
  terminal.stop();
  forget();
  process.exit(0);
}
