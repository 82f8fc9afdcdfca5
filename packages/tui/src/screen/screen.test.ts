import { expect, test } from "bun:test";
import { block, chrome, lines, stage, textPane } from "../test/stage.ts";
import { createFakeTimers } from "../test/timers.ts";
import { createVirtualTerminal } from "../test/virtual-terminal.ts";
import { width } from "../text/width.ts";
import { plainTheme } from "../theme/palette.ts";
import { createTranscript } from "../transcript/transcript.ts";
import { createEditor, type Editor } from "../widget/editor/editor.ts";
import { cursorMark, type Pane, type View } from "./frame.ts";
import { composite } from "./overlay.ts";
import { createScreen } from "./screen.ts";

test("a plain frame scrolls off like the output of a shell, each row once", () => {
  const pane = textPane([]);
  const { tty, screen, intents } = stage(40, 10, [pane]);
  for (let at = 1; at <= 50; at++) {
    pane.rows = lines(0, at * 10);
    screen.now();
  }
  expect(tty.tape()).toEqual(lines(0, 500));
  expect(intents().slice(2)).toEqual(new Array(49).fill("append"));
});

test("ordinary frames never erase the screen, never go home and never touch the alternate screen", () => {
  const transcript = createTranscript();
  const { tty, screen } = stage(60, 12, [transcript, chrome("> prompt")]);
  tty.take();
  for (let at = 0; at < 1000; at++) {
    transcript.add(block([`line ${at}`]));
    screen.now();
  }
  const bytes = tty.take();
  for (const bad of ["\x1b[2J", "\x1b[3J", "\x1b[H", "\x1b[1;1H", "?1049"]) expect(bytes).not.toContain(bad);
  expect(tty.tape().filter((row) => row !== "")).toEqual([...lines(0, 1000, "line"), "> prompt"]);
});

test("the shell's screen is kept in history when we start, with ED 22 where the terminal has it", () => {
  const tty = createVirtualTerminal(40, 8);
  tty.write("$ ls\r\na b c\r\n$ pith\r\n");
  tty.take();
  const start = (keepsScreen: boolean) =>
    createScreen({ tty, timers: createFakeTimers(), panes: [textPane(["hello"])], keepsScreen }).start();
  start(false);
  expect(tty.history()).toEqual(["$ ls", "a b c", "$ pith"]);
  expect(tty.grid()[0]).toBe("hello");
  tty.take();
  start(true);
  expect(tty.take().split("\x1b[22J").length).toBe(2);
});

test("an edit in the middle of the window rewrites that row only", () => {
  const pane = textPane(lines(0, 8));
  const { tty, screen, intents } = stage(40, 10, [pane]);
  tty.take();
  pane.rows = pane.rows.with(3, "changed");
  screen.now();
  expect(tty.grid()[3]).toBe("changed");
  expect(tty.take().length).toBeLessThan(60);
  expect(intents().at(-1)).toBe("diff");
  screen.now();
  expect(tty.take()).toBe("");
  expect(intents()).toEqual(["none"]);
});

test("one restyled row of history is left alone, an inserted row is followed by a second copy", () => {
  const pane = textPane(lines(0, 60));
  const { tty, screen } = stage(40, 10, [pane]);
  pane.rows = pane.rows.with(45, "restyled");
  screen.now();
  expect(tty.tape()).toEqual(lines(0, 60));
  pane.rows = ["row 0", "inserted", ...lines(1, 60)];
  screen.now();
  const tape = tty.tape();
  expect(tape.slice(0, 50)).toEqual(lines(0, 50));
  expect(tape.slice(50)).toEqual(["inserted", ...lines(1, 60)]);
});

test("a colour change alone is no change of history", () => {
  const pane = textPane(lines(0, 60));
  const { tty, screen } = stage(40, 10, [pane]);
  pane.rows = pane.rows.map((row) => `\x1b[31m${row}\x1b[39m`);
  screen.now();
  expect(tty.tape()).toEqual(lines(0, 60));
});

test("a resize writes the whole transcript again at the new width, once, and audits nothing", () => {
  const pane: Pane = { render: (columns) => (columns === 40 ? lines(0, 60, "wide") : lines(0, 90, "narrow")) };
  const { tty, screen, traces, timers } = stage(40, 10, [pane]);
  tty.take();
  tty.resize(20, 10);
  screen.resized();
  timers.advance(50);
  expect(tty.tape()).toEqual(lines(0, 90, "narrow"));
  expect(tty.take()).toContain("\x1b[2J\x1b[H\x1b[3J");
  expect(traces.map((each) => each.mode)).toEqual(["first", "clear"]);
});

test("what an overlay covers stays out of history and arrives there when it closes", () => {
  const transcript = createTranscript({ gap: 0 });
  const { tty, screen } = stage(40, 10, [transcript, chrome("> ")]);
  for (const row of lines(0, 20)) transcript.add(block([row]));
  screen.now();
  const before = tty.history();
  const handle = screen.overlay({ render: (columns) => ["+".repeat(columns), "OVERLAY", "+".repeat(columns)] });
  for (const row of lines(20, 120)) {
    transcript.add(block([row]));
    screen.now();
  }
  expect(tty.history()).toEqual(before);
  expect(tty.grid().join()).toContain("OVERLAY");
  handle.close();
  expect(tty.tape()).toEqual([...lines(0, 120), ">"]);
});

test("a frame that shrinks into its history shows what is left and keeps the old rows", () => {
  const pane = textPane(lines(0, 200));
  const { tty, screen } = stage(40, 10, [pane]);
  pane.rows = lines(0, 3);
  screen.now();
  expect(tty.grid().slice(0, 4)).toEqual(["row 0", "row 1", "row 2", ""]);
  expect(tty.history()).toEqual(lines(0, 190));
});

test("the cursor mark never reaches the terminal and the cursor is inside the frame", () => {
  const pane = textPane([...lines(0, 30), `> a한${cursorMark}b`]);
  const { tty } = stage(40, 10, [pane], { sync: true });
  const bytes = tty.take();
  expect(bytes).not.toContain("pith:c");
  expect(bytes.lastIndexOf("G")).toBeLessThan(bytes.lastIndexOf("\x1b[?2026l"));
  expect(tty.cursor()).toEqual({ row: 9, column: 5, visible: true });
});

test("a drawn cursor leaves the real one hidden but where it belongs", () => {
  const { tty } = stage(40, 10, [textPane([`> ${cursorMark}`])], { cursor: "drawn" });
  expect(tty.cursor()).toEqual({ row: 0, column: 2, visible: false });
});

test("rows wider than the terminal and hostile rows do no harm", () => {
  const pane = textPane(["x".repeat(90), "\x1b[2J\x1b]0;t\x07\x1b[5;5Hgone", "한".repeat(30), "\x1b[31mopen"]);
  const { tty } = stage(40, 10, [pane]);
  expect(tty.grid().slice(0, 4)).toEqual([`${"x".repeat(39)}…`, "␛[2J␛]0;t␇␛[5;5Hgone", `${"한".repeat(19)}…`, "open"]);
});

test("without synchronized output the brackets are gone and autowrap is still held", () => {
  const { tty, screen } = stage(40, 10, [textPane(["a"])], { sync: true });
  expect(tty.take()).toContain("\x1b[?2026h");
  screen.setSync(false);
  screen.overlay({ render: () => ["x"] });
  const bytes = tty.take();
  expect(bytes).not.toContain("2026");
  expect(bytes).toContain("\x1b[?7l");
});

test("frames come together every 50 ms, keys are answered at once, and nothing happens while nothing changes", () => {
  const pane = textPane(["a"]);
  let asked = 0;
  const counted: Pane = { render: () => pane.rows.slice(0, ++asked && 9), input: () => "used" };
  const { screen, timers } = stage(40, 10, [counted]);
  asked = 0;
  for (let at = 0; at < 100; at++) {
    screen.request();
    timers.advance(1);
  }
  expect(asked).toBe(2);
  screen.focus.set(counted);
  screen.input({ type: "key", name: "a", combo: "a", text: "a", phase: "press" });
  expect(asked).toBe(3);
  timers.advance(10_000);
  expect(asked).toBe(3);
});

test("a spinner does not make the transcript draw itself again", () => {
  let drawn = 0;
  const transcript: Pane = { render: () => [drawn++ < 0 ? "" : "t"] };
  const spinner = textPane(["-"]);
  const { screen, timers, tty } = stage(40, 10, [transcript, spinner]);
  drawn = 0;
  for (let at = 0; at < 10; at++) {
    spinner.rows = [`step ${at}`];
    screen.requestPane(spinner);
    timers.advance(80);
  }
  expect(drawn).toBe(0);
  expect(tty.grid()[1]).toBe("step 9");
  screen.requestPane(spinner);
  screen.request();
  timers.advance(80);
  expect(drawn).toBe(1);
});

test("an overlay that closes gives the focus to the next one, then back to the ground", () => {
  const ground: View = { render: () => [] };
  const { screen } = stage(40, 30, [textPane(["a"])]);
  screen.focus.set(ground);
  const first: View = { render: () => ["1"] };
  const second: View = { render: () => ["2"] };
  screen.overlay(first);
  const top = screen.overlay(second);
  expect(screen.focus.current).toBe(second);
  top.close();
  expect(screen.focus.current).toBe(first);
  expect([ground.focused, first.focused, second.focused]).toEqual([false, true, false]);
});

test("listeners may use up or change an event, and releases reach no view", () => {
  const got: string[] = [];
  const view: View = {
    render: () => [],
    input(event) {
      got.push(event.type === "key" ? event.combo + event.phase : event.type);
      return "used";
    },
  };
  const { screen } = stage(40, 10, [textPane(["a"])]);
  screen.focus.set(view);
  const key = (combo: string, phase: "press" | "release" = "press") =>
    ({ type: "key", name: combo, combo, text: "", phase }) as const;
  const off = screen.focus.listen((event) =>
    event.type === "key" && event.combo === "x"
      ? "used"
      : event.type === "key" && event.combo === "y"
        ? key("z")
        : event,
  );
  for (const combo of ["x", "y", "a"]) screen.input(key(combo));
  screen.input(key("a", "release"));
  off();
  screen.input(key("x"));
  expect(got).toEqual(["zpress", "apress", "xpress"]);
});

test("a terminal of any size is painted, and a slow one gets no frame before it took the last", () => {
  for (const [columns, rows] of [
    [1, 1],
    [1, 40],
    [1000, 500],
    [0, 0],
  ] as const) {
    let bytes = "";
    const tty = {
      columns,
      rows,
      busy: false,
      write(more: string) {
        bytes += more;
      },
    };
    const pane = textPane(Array.from({ length: 30 }, (_, at) => `row ${at} 한국어 👨‍👩‍👧`));
    const timers = createFakeTimers();
    const screen = createScreen({ tty, timers, panes: [pane, chrome(`> ${cursorMark}`)] });
    screen.start();
    screen.overlay({ render: () => ["over", `x${cursorMark}`] }).close();
    expect(bytes).toContain(columns > 1 ? "row 29" : "\x1b[?7h");
    tty.busy = true;
    bytes = "";
    pane.rows = pane.rows.map((row) => `other ${row}`);
    screen.redraw();
    expect(bytes).toBe("");
    tty.busy = false;
    timers.advance(100);
    expect(bytes).not.toBe("");
  }
});

test("a coloured end of a row is one rectangle where the terminal has them", () => {
  const row = `text\x1b[48;5;22m${" ".repeat(30)}\x1b[49m`;
  const bytes = (rectangles: boolean) => stage(40, 10, [textPane([row])], { rectangles }).tty.take();
  expect(bytes(true)).toContain("text\x1b[0m\x1b[K\x1b[1;5;1;34;48;5;22$r");
  expect(bytes(false)).not.toContain("$r");
});

test("an overlay changes no row of the frame, and one that is too large is cut", () => {
  const window = Object.freeze(["한국어 text", "second"]);
  const view: View = { render: () => Array.from({ length: 9 }, () => `${"x".repeat(90)}${cursorMark}`) };
  const { rows, at } = composite(window, { view, options: { columns: 200 } }, 20, 4);
  expect(window).toEqual(["한국어 text", "second"]);
  expect(rows.map(width)).toEqual([20, 20, 20, 20]);
  const { tty } = stage(20, 4, [textPane([`${"y".repeat(50)}${cursorMark}`])]);
  expect(tty.cursor().column).toBe(19);
  expect(at).toBeDefined();
});

test("each way of writing is used in its own case", () => {
  const transcript = createTranscript({ gap: 0 });
  const { screen, intents } = stage(40, 10, [transcript, chrome("> ")]);
  const add = (row: string) => {
    transcript.add(block([row]));
    screen.now();
  };
  for (const row of lines(0, 9)) add(row);
  expect(intents()).toEqual(["first", ...new Array<"diff">(9).fill("diff")]);
  add("tenth");
  expect(intents()).toEqual(["append"]);
  const overlay = screen.overlay({ render: () => ["box"] });
  add("hidden");
  overlay.close();
  expect(intents()).toEqual(["diff", "diff", "seam"]);
  screen.redraw();
  screen.now();
  expect(intents()).toEqual(["clear", "none"]);
});

test("only the view with the focus shows a cursor", () => {
  const editors = [1, 2].map(() => createEditor({ theme: plainTheme, timers: createFakeTimers(), submit: () => {} }));
  const [first, second] = editors as [Editor, Editor];
  const { screen } = stage(40, 12, editors);
  screen.focus.set(first);
  const marked = () => editors.map((editor) => editor.render(40, 12).join("").includes(cursorMark));
  expect(marked()).toEqual([true, false]);
  screen.focus.set(second);
  expect(marked()).toEqual([false, true]);
});
