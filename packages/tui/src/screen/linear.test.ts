import { expect, test } from "bun:test";
import { createDecoder } from "../input/decoder.ts";
import type { InputEvent } from "../input/event.ts";
import { boxView, textView } from "../test/box.ts";
import { createFakeTimers } from "../test/timers.ts";
import { tableRows } from "../text/table.ts";
import { builtinTheme, plainTheme } from "../theme/palette.ts";
import { createTranscript, type TranscriptBlock } from "../transcript/transcript.ts";
import { createEditor } from "../widget/editor/editor.ts";
import { createList } from "../widget/list.ts";
import { createLinearScreen } from "./linear.ts";

function stage() {
  let bytes = "";
  const timers = createFakeTimers();
  const transcript = createTranscript();
  const editor = createEditor({ theme: plainTheme, timers, submit: () => editor.clear() });
  const screen = createLinearScreen({
    tty: {
      columns: 80,
      rows: 24,
      write: (more) => {
        bytes += more;
      },
    },
    panes: [transcript, editor],
    timers,
  });
  screen.focus.set(editor);
  screen.start();
  const type = (text: string) => screen.input(...(createDecoder().feed(text) as InputEvent[]));
  const take = () => {
    const taken = bytes;
    bytes = "";
    return taken;
  };
  return { transcript, screen, type, take, timers };
}
const block = (rows: string[], final = true): TranscriptBlock & { final: boolean; rows: string[] } => ({
  rows,
  final,
  render: (): string[] => rows,
});

test("a listener hears every final line once, in order, without any drawing", () => {
  const { transcript, screen, take } = stage();
  expect(take()).toBe("> ");
  transcript.add(block(["\x1b[31mfirst\x1b[39m line", "──────", "│ boxed │"]));
  screen.now();
  expect(take()).toBe("\r\nfirst line\r\nboxed\r\n> ");
  screen.now();
  expect(take()).toBe("");
  const live = block(["growing"], false);
  transcript.add(live);
  screen.now();
  expect(take()).toBe("");
  live.final = true;
  screen.now();
  expect(take()).toBe("\r\ngrowing\r\n> ");
});

test("a listener hears signs that stand alone, and at the end also what was still being written", () => {
  const { transcript, screen, take } = stage();
  transcript.add(block(["ls", "| wc -l", "+", "| boxed |", "-----"]));
  transcript.add(block(["half an answer"], false));
  take();
  screen.now();
  expect(take()).toBe("\r\nls\r\n| wc -l\r\n+\r\nboxed\r\n> ");
  screen.stop("exit");
  expect(take()).toBe("\r\nhalf an answer\r\n");
});

test("a listener hears the title of a frame and what is in it, not the frame", () => {
  const { screen, take } = stage();
  for (const theme of [builtinTheme({ level: "256" }), builtinTheme({ level: "none", ascii: true })]) {
    take();
    const box = screen.overlay(
      boxView(
        theme,
        () => "Question",
        textView(() => "Go on?"),
      ),
    );
    expect(take().trim()).toBe("Question\r\nGo on?");
    box.close();
  }
});

test("typing is echoed letter by letter and deleting takes letters back", () => {
  const { type, take } = stage();
  take();
  type("hi한");
  expect(take()).toBe("hi한");
  type("\x7f");
  expect(take()).toBe("\b \b\b \b");
  type("\x01x");
  expect(take()).toBe("\r\n> xhi");
});

test("a list says itself once and then only where the pointer goes", () => {
  const { screen, type, take } = stage();
  take();
  screen.overlay(createList({ theme: plainTheme, items: [{ label: "one" }, { label: "two" }], choose: () => {} }));
  expect(take()).toBe("\r\n❯ one\r\ntwo\r\n");
  type("\x1b[B");
  expect(take()).toBe("❯ two\r\n");
});

test("a table is read cell by cell, and what a stranger wrote cannot drive the terminal", () => {
  const { transcript, screen, take } = stage();
  take();
  transcript.add(block([...tableRows({ header: ["a", "b"], rows: [["1", "2"]] }, 40, plainTheme), "\x1b[2Jx\x07"]));
  screen.now();
  expect(take()).toBe("\r\na, b\r\n1, 2\r\n␛[2Jx␇\r\n> ");
});
