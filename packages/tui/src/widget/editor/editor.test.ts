import { expect, test } from "bun:test";
import fc from "fast-check";
import { createDecoder } from "../../input/decoder.ts";
import type { InputEvent } from "../../input/event.ts";
import { cursorMark, takeCursor } from "../../screen/frame.ts";
import { createFakeTimers } from "../../test/timers.ts";
import { strip, width } from "../../text/width.ts";
import { plainTheme } from "../../theme/palette.ts";
import { createEditor, type EditorOptions, type Submission } from "./editor.ts";
import { TextFolds } from "./fold.ts";

function stage(more: Partial<EditorOptions> = {}) {
  const timers = createFakeTimers();
  const sent: Submission[] = [];
  const editor = createEditor({ theme: plainTheme, timers, submit: (each) => sent.push(each), ...more });
  editor.focused = true;
  const decoder = createDecoder();
  const type = (bytes: string) =>
    [...decoder.feed(bytes), ...decoder.flush()].map((event) => editor.input?.(event as InputEvent));
  /** The text with a bar where the cursor is. */
  const state = () => {
    const rows = editor
      .render(60, 100)
      .slice(1, -1)
      .map((row) => row.slice(2));
    return rows.join("\n").replace(cursorMark, "|");
  };
  return { editor, type, state, sent, timers };
}
const keys = {
  left: "\x1b[D",
  right: "\x1b[C",
  up: "\x1b[A",
  down: "\x1b[B",
  wordLeft: "\x1bb",
  wordRight: "\x1bf",
  undo: "\x1f",
  redo: "\x1b_",
};

test("letters go where the cursor is and Enter sends them", () => {
  const { type, state, sent, editor } = stage();
  type(`helo${keys.left}l`);
  expect(state()).toBe("hell|o");
  type("\r");
  expect(sent).toEqual([{ text: "hello", attachments: [] }]);
  editor.clear();
  expect(state()).toBe("|");
});

test("a character of several code points moves and dies as one", () => {
  const { type, state } = stage();
  type(`a👨‍👩‍👧e\u0301${keys.left}${keys.left}`);
  expect(state()).toBe("a|👨‍👩‍👧e\u0301");
  type("\x1b[3~");
  expect(state()).toBe("a|e\u0301");
});

test("word motions, cuts and yanks do what a shell does", () => {
  const { type, state } = stage();
  type("one two-three four");
  type(keys.wordLeft + keys.wordLeft);
  expect(state()).toBe("one two-|three four");
  type("\x17\x17");
  expect(state()).toBe("one |three four");
  type("\x05\x19");
  expect(state()).toBe("one three fourtwo-|");
  type("\x15");
  expect(state()).toBe("|");
  type("\x19\x1by");
  expect(state()).toBe("two-|");
});

test("undo takes back words, not letters, and redo gives them back", () => {
  const { type, state } = stage();
  type("one two");
  type(keys.undo);
  expect(state()).toBe("one |");
  type(keys.undo);
  expect(state()).toBe("|");
  type("\x1b[122;6u");
  expect(state()).toBe("one |");
});

test("shift selects, typing replaces, moving leaves", () => {
  const { type, state } = stage();
  type("hello world\x1b[1;2D\x1b[1;2D\x1b[1;2D");
  type("X");
  expect(state()).toBe("hello woX|");
  type("\x1b[1;2H\x7f");
  expect(state()).toBe("|");
});

test("lines wrap, and up and down keep their column over short and wide rows", () => {
  const { editor, type } = stage();
  const at = () => takeCursor(editor.render(22, 100)).at;
  type("0123456789012345\n한국\n0123456789");
  type(keys.up);
  expect(strip(at()?.text ?? "")).toBe("  한국");
  type(keys.up);
  expect(width(at()?.text ?? "")).toBe(12);
});

test("the first row goes back in history and the last row comes back to the draft", () => {
  const { type, state, editor } = stage();
  editor.recall(["first", "second"]);
  type(`draft${keys.up}`);
  expect(editor.text).toBe("second");
  type(keys.up);
  expect(editor.text).toBe("first");
  type(keys.down + keys.down);
  expect(state()).toBe("draft|");
});

test("a long paste is folded, moves as one piece, dies as one piece and is sent in full", () => {
  const { type, state, sent, editor } = stage();
  const long = Array.from({ length: 50 }, (_, at) => `line ${at}`).join("\n");
  type(`see \x1b[200~${long}\x1b[201~ ok`);
  expect(state()).toBe("see [paste #1 +50 lines] ok|");
  type("\r");
  expect(sent[0]?.text).toBe(`see ${long} ok`);
  type(keys.left.repeat(3) + keys.left);
  expect(state()).toBe("see |[paste #1 +50 lines] ok");
  type(`${keys.right}\x7f`);
  expect(editor.text).toBe("see  ok");
});

test("what was pasted is sent as it was, also when it holds the mark of another paste", () => {
  const folds = new TextFolds();
  const first = folds.paste(`see [paste #2 +11 lines]${"\na".repeat(11)}`);
  const second = folds.paste("b\n".repeat(11));
  expect(folds.expand(`${second} and ${first}`).text).toBe(
    `${"b\n".repeat(11)} and see [paste #2 +11 lines]${"\na".repeat(11)}`,
  );
});

test("two pictures never have one mark, also when an older one was taken out before", () => {
  const folds = new TextFolds();
  folds.attach("image", 1);
  const kept = folds.attach("image", 2);
  const again = new TextFolds();
  again.restore(folds.of(`only ${kept}`));
  const fresh = again.attach("image", 3);
  expect(fresh).not.toBe(kept);
  expect(again.expand(fresh).attachments.map(({ mark }) => mark)).toEqual([fresh]);
});

test("a pasted escape sequence is text and is shown as such", () => {
  const { type, state } = stage();
  type("\x1b[200~a\x1b[2Jb\x1b[201~");
  expect(state()).toBe("a␛[2Jb|");
});

test("attachments travel beside the text", () => {
  const { editor, sent, type } = stage();
  editor.attach("image", { bytes: 3 });
  type("what is this\r");
  expect(sent[0]?.text).toBe("[image #1] what is this");
  expect(sent[0]?.attachments.map((each) => each.content)).toEqual([
    { kind: "attachment", name: "image", data: { bytes: 3 } },
  ]);
});

test("ten fast keys ask the completer once, and the answer can be taken", async () => {
  let asked = 0;
  const { type, timers, editor } = stage({
    completer: (text, cursor) => {
      asked++;
      return [
        { label: "/help", insert: "/help ", from: 0, to: cursor },
        { label: `/${text}`, insert: "/x", from: 0, to: cursor },
      ];
    },
  });
  for (const char of "/helphelpx") {
    type(char);
    timers.advance(10);
  }
  timers.advance(100);
  await Bun.sleep(0);
  expect(asked).toBe(1);
  expect(editor.render(40, 40).some((row) => row.includes("/help"))).toBe(true);
  type("\t");
  expect(editor.text).toBe("/help ");
});

test("what was suggested before more was typed is not put into the middle of it", () => {
  const { type, timers, editor, sent } = stage({
    completer: (text, cursor) =>
      ["/undo alpha", "/undo beta"]
        .filter((line) => line.startsWith(text))
        .map((line) => ({ label: line, insert: line, from: 0, to: cursor })),
  });
  type("/undo ");
  timers.advance(100);
  type("be\t");
  expect(editor.text).toBe("/undo be");
  type("\t");
  expect(editor.text).toBe("/undo beta");
  editor.text = "/undo ";
  type(" \x7f");
  timers.advance(100);
  type("c\r");
  expect(sent.at(-1)?.text).toBe("/undo c");
});

test("Enter sends what is typed out as it is suggested, and takes what is not", () => {
  const { type, timers, editor, sent } = stage({
    completer: (_, cursor) => [{ label: "/help", insert: "/help ", from: 0, to: cursor }],
  });
  const typed = (text: string) => {
    type(text);
    timers.advance(100);
    expect(editor.completing).toBe(true);
  };
  typed("/he");
  type("\r");
  expect([editor.text, sent.length]).toEqual(["/help ", 0]);
  editor.text = "";
  typed("/help");
  type("\r");
  expect(sent.map(({ text }) => text)).toEqual(["/help"]);
});

test("keys the application keeps for itself never change the text", () => {
  const { type, editor } = stage({
    before: (event) =>
      ["escape", "ctrl+c", "ctrl+d", "ctrl+z", "ctrl+v", "ctrl+p", "ctrl+t", "alt+up"].includes(event.combo)
        ? "used"
        : "passed",
  });
  type("text");
  for (const bytes of ["\x1b", "\x03", "\x04", "\x1a", "\x16", "\x10", "\x14", "\x1b[1;3A"])
    expect(type(bytes)).toEqual(["used"]);
  expect(editor.text).toBe("text");
});

test("Shift+Enter, Alt+Enter, Ctrl+J and a backslash before Enter all make a new line", () => {
  const { type, editor, sent } = stage();
  type("a\x1b[13;2ub\x1b\rc\nd\\\re");
  expect(editor.text).toBe("a\nb\nc\nd\ne");
  expect(sent).toEqual([]);
});

test("no row is wider than the editor, whatever is typed, and the cursor is on it", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom("a", " ", "한", "👨‍👩‍👧", "\n", "word", "e\u0301", "\x1b[D", "\x1b[A", "\x7f", "\x17", "\x1f"),
        { maxLength: 60 },
      ),
      fc.integer({ min: 4, max: 40 }),
      (parts, columns) => {
        const { editor, type } = stage();
        for (const part of parts) type(part);
        const { rows, at } = takeCursor(editor.render(columns, 20));
        for (const row of rows) expect(width(row)).toBeLessThanOrEqual(columns);
        expect(at).toBeDefined();
        expect(width(at?.text ?? "")).toBeLessThan(columns + 1);
      },
    ),
  );
});

const vimCases: [start: string, keys: string, end: string][] = [
  ["one two three", "0dw", "|two three"],
  ["one two three", "0wcwX\x1b", "one |X three"],
  ["one two three", "02dw", "|three"],
  ["a\nb\nc", "ggdd", "|b\nc"],
  ["a\nb\nc", "ggyyp", "a\n|a\nb\nc"],
  ["a\nb\nc", "dd", "a\n|b"],
  ["foo(bar, baz)", "0fbci(x\x1b", "foo(|x)"],
  ['say "hi there" now', '0fhci"x\x1b', 'say "|x" now'],
  ["abc", "0x.", "|c"],
  ["abc abc", "0cwX\x1bw.", "X |X"],
  ["abc", "0~l", "Ab|c"],
  ["abc", "0rX", "|Xbc"],
  ["one two", "0vey$p", "one twoon|e"],
  ["a\nb", "ggJ", "a| b"],
  ["one two three", "0ftD", "one| "],
  ["one two three", "0dt3", "|one two three"],
  ["one two three", "0f ;dT ", "one | three"],
  ["one", "0dwu", "|one"],
  ["one two", "0daw", "|two"],
  ["a b c", "0d2w", "|c"],
]; // biome-ignore format: a table

// Answers of vim itself to the same keys.
const moreVimCases: typeof vimCases = [
  ["one two", "02x.", "|two"], ["a b\n\nc d", "gg$w", "a b\n|\nc d"], ["one\ntwo\nthree", "gg2Gdd", "one\n|three"],
  ["one two three", "0d2w", "|three"], ["one two three", "02dw", "|three"], ["x = f(a, (b))", "0di(", "x = f(|)"],
  ["f(a, (b))", "0%", "f(a, (b)|)"], ["say \"some words\" now", "0da\"", "say |now"], ["one two", "0gUw", "|ONE two"],
  ["One Two", "0g~~", "|oNE tWO"], ["one\ntwo", "gg\"ayyj\"ap", "one\ntwo\n|one"], ["one two", "0yiwwviwp", "one on|e"],
  ["one two", "0\"_dwP", "|two"], ["a b c", "0xp", " |ab c"], ["one\n\ntwo", "gg}d{", "|\ntwo"],
  ["one\ntwo\nthree", "gg3J", "one two| three"], ["one\ntwo", "ggJ", "one| two"], ["one\n  two", "gggJ", "one|  two"],
  ["word", "03rx", "xx|xd"], ["a", "03rx", "|a"], ["one two", "0vlly$p", "one twoon|e"],
  ["one two three", "0wvey0P", "tw|oone two three"], ["one\ntwo\nthree", "ggVjd", "|three"],
  ["one\ntwo\nthree", "ggVjJ", "one| two\nthree"], ["one two", "0cwx\x1bw.", "x |x"], ["x = 1", "0cwyy\x1b", "y|y = 1"],
  ["one two", "03iab\x1b", "ababa|bone two"], ["one two three", "0dwu", "|one two three"],
  ["one", "0ihello world \x1bu", "|one"], ["one\ntwo", "ggdk", "|one\ntwo"], ["one\ntwo\n\nthree", "ggdap", "|three"],
  ["日本テスト", "0w", "日本|テスト"], ["a.b.c", "0f.;", "a.b|.c"], ["a.b.c", "0t.;", "a.|b.c"],
  ["one two\nthree", "ggwdw", "one| \nthree"], ["\none", "ggj0kdd", "|one"], ["one two", "0vU", "|One two"],
  ["one two", "0vexj", "| two"], ["1 2 3 4", "0wdw.", "1 |4"], ["one\ntwo\nthree", "gg>j", "  |one\n  two\nthree"],
]; // biome-ignore format: a table

test("fingers that know vi find it", () => {
  for (const [start, typed, end] of [...vimCases, ...moreVimCases]) {
    const { editor, type, state } = stage({ vim: true });
    editor.text = start;
    type("\x1b");
    for (const key of typed) type(key);
    expect([start, typed, state()]).toEqual([start, typed, end]);
  }
});

test("in vi's normal mode Enter still sends and Escape is left to the application", () => {
  const { type, sent, editor } = stage({ vim: true });
  type("text");
  expect(type("\x1b")).toEqual(["used"]);
  expect(editor.mode).toBe("normal");
  expect(type("\x1b")).toEqual(["passed"]);
  type("\r");
  expect(sent.length).toBe(1);
});

test("vim says where letters are no text", () => {
  const { editor, type } = stage({ vim: true });
  const top = () => editor.render(40, 100)[0] ?? "";
  type("abc");
  expect(top()).toBe("─".repeat(40));
  type("\x1b");
  expect(top()).toStartWith("── normal ─");
  type("V");
  expect(top()).toStartWith("── visual line ─");
  type("\x1b");
  type("i");
  expect(top()).toBe("─".repeat(40));
});
