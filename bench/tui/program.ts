// A small program on the engine: a long transcript, an editor, a status line, and an answer that streams in.
// `bun program.ts <report file> <url> <blocks of history>`; Enter begins, Ctrl+Q ends.
import {
  builtinTheme,
  createEditor,
  createMarkdownStream,
  createScreen,
  createTerminal,
  createTranscript,
  detectCapabilities,
  type Screen,
  statusRow,
  systemTimers,
  type TtyIn,
  type TtyOut,
} from "../../packages/tui/src/index.ts";
import { readTokens } from "./tokens.ts";

const [report = "", url = "", blocks = "0"] = process.argv.slice(2);
const capabilities = detectCapabilities({ TERM: "xterm-256color", LANG: "C.UTF-8" }, "linux");
const theme = builtinTheme({ level: capabilities.colours });
const transcript = createTranscript({
  *history(_, count) {
    for (let at = 0; at < count; at++) yield at > 0 ? ["", `block ${at}`] : [`block ${at}`];
  },
});
transcript.resume(Number(blocks));
const editor = createEditor({ theme, timers: systemTimers, submit: () => void answer() });
let screen: Screen;
const terminal = createTerminal({
  input: process.stdin as unknown as TtyIn,
  output: process.stdout as unknown as TtyOut,
  capabilities,
  timers: systemTimers,
  received(events) {
    if (events.some((event) => event.type === "key" && event.combo === "ctrl+q")) return end();
    screen.input(...events);
  },
  resized: () => screen.resized(),
  closed: () => process.exit(1),
});
const status = [
  { text: "model", side: "left", weight: 1 },
  { text: "ready", side: "right", weight: 1 },
] as const;
screen = createScreen({
  tty: terminal,
  panes: [
    transcript,
    editor,
    { render: (columns) => [statusRow(theme, status, columns)], bounds: () => ({ live: 0 }) },
  ],
  timers: systemTimers,
  sync: true,
});
screen.focus.set(editor);
terminal.start();
screen.start();

async function answer() {
  editor.clear();
  const stream = createMarkdownStream({ theme });
  let final = false;
  transcript.add({
    render: (columns) => stream.rows(columns),
    get settled() {
      return stream.settled;
    },
    get final() {
      return final;
    },
  });
  const before = process.cpuUsage();
  for await (const token of readTokens(url)) {
    stream.append(token);
    screen.requestPane(transcript);
  }
  stream.finish();
  final = true;
  screen.now();
  const used = process.cpuUsage(before);
  await Bun.write(report, JSON.stringify({ cpuMs: (used.user + used.system) / 1000 }));
}

function end() {
  screen.stop("exit");
  terminal.stop();
  process.exit(0);
}
