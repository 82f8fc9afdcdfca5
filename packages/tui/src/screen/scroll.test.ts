import { expect, test } from "bun:test";
import { createDecoder } from "../input/decoder.ts";
import type { InputEvent } from "../input/event.ts";
import { createFakeTimers } from "../test/timers.ts";
import { createVirtualTerminal } from "../test/virtual-terminal.ts";
import { plainTheme } from "../theme/palette.ts";
import { createTranscript, type TranscriptBlock } from "../transcript/transcript.ts";
import { createEditor } from "../widget/editor/editor.ts";
import { createScrollScreen } from "./scroll.ts";

type Block = TranscriptBlock & { final: boolean; rows: string[] };
const block = (rows: string[], final = true): Block => ({ rows, final, render: () => rows });

function stage(columns = 20, rows = 6) {
  const terminal = createVirtualTerminal(columns, rows);
  const written: string[] = [];
  const tty = {
    get columns() {
      return terminal.columns;
    },
    get rows() {
      return terminal.rows;
    },
    write(bytes: string) {
      written.push(bytes);
      terminal.write(bytes);
    },
  };
  const timers = createFakeTimers();
  const transcript = createTranscript({ gap: 0 });
  const editor = createEditor({ theme: plainTheme, timers, frame: "none", submit: () => editor.clear() });
  terminal.write("$ pith\r\n");
  const screen = createScrollScreen({ tty, panes: [transcript, editor], timers });
  screen.focus.set(editor);
  screen.start();
  return {
    terminal,
    timers,
    transcript,
    screen,
    written,
    type: (text: string) => screen.input(...(createDecoder().feed(text) as InputEvent[])),
    tape: () => terminal.tape().join("\n").trimEnd().split("\n"),
  };
}

test("it begins at the cursor, each final row stands once, and what is typed stands below", () => {
  const { transcript, screen, type, tape, written } = stage();
  expect(tape()).toEqual(["$ pith", "❯"]);
  type("half");
  transcript.add(block(["one", "two"]));
  screen.now();
  expect(tape()).toEqual(["$ pith", "one", "two", "❯ half"]);
  for (let at = 3; at < 30; at++) transcript.add(block([`row ${at}`]));
  screen.now();
  type(" a word\x1b[D\x1b[D\x1b[D\x1b[D\x7f");
  const rows = Array.from({ length: 27 }, (_, at) => `row ${at + 3}`);
  expect(tape()).toEqual(["$ pith", "one", "two", ...rows, "❯ half aword"]);
  const before = written.length;
  screen.now();
  expect(written.length).toBe(before);
});

test("rows that may change are drawn again in their place; of more than fit, the last ones", () => {
  const { transcript, screen, tape, terminal } = stage();
  const live = block(["working"], false);
  transcript.add(live);
  screen.now();
  expect(tape()).toEqual(["$ pith", "working", "❯"]);
  live.rows = Array.from({ length: 9 }, (_, at) => `line ${at}`);
  live.render = () => live.rows;
  screen.now();
  expect(terminal.grid()).toEqual(["$ pith", "line 5", "line 6", "line 7", "line 8", "❯"]);
  live.final = true;
  screen.now();
  expect(tape()).toEqual(["$ pith", ...live.rows, "❯"]);
});

test("an overlay stands in the place of what is typed, and rows that come meanwhile follow it", () => {
  const { transcript, screen, tape } = stage();
  const overlay = screen.overlay({ render: () => ["a dialog", "of two rows"] });
  expect(tape()).toEqual(["$ pith", "a dialog", "of two rows"]);
  transcript.add(block(["late"]));
  screen.now();
  expect(tape()).toEqual(["$ pith", "a dialog", "of two rows"]);
  overlay.close();
  expect(tape()).toEqual(["$ pith", "late", "❯"]);
});

test("the terminal is left with all that was said, and taken again below what a program wrote", () => {
  const { transcript, screen, tape, terminal, type } = stage();
  transcript.add(block(["said"]));
  type("draft");
  {
    using _ = screen.lend();
    expect(tape()).toEqual(["$ pith", "said"]);
    terminal.write("a program\r\n");
  }
  expect(tape()).toEqual(["$ pith", "said", "a program", "❯ draft"]);
  screen.insert?.("a picture");
  expect(tape()).toEqual(["$ pith", "said", "a program", "a picture", "❯ draft"]);
  transcript.add(block(["not final"], false));
  screen.stop("exit");
  expect(tape()).toEqual(["$ pith", "said", "a program", "a picture", "not final"]);
});
