import type { InputEvent, KeyEvent } from "../../input/event.ts";
import type { Pane } from "../../screen/frame.ts";
import type { Timers } from "../../screen/scheduler.ts";
import type { StyleName, Theme } from "../../theme/theme.ts";
import { before, insert, selection, step } from "./buffer.ts";
import { type Completer, createCompletions } from "./complete.ts";
import { drawEditor } from "./draw.ts";
import type { TextFold } from "./fold.ts";
import { defaultKeymap, type EditorAction, type Keymap } from "./keymap.ts";
import { createLayout, locate, offsetAt } from "./layout.ts";
import { createRecall } from "./recall.ts";
import { createEditorState, cutText, motions } from "./state.ts";
import { createVim, type Vim } from "./vim/vim.ts";

export interface Submission {
  readonly text: string;
  readonly attachments: readonly TextFold[];
}

export interface EditorDraft {
  readonly text: string;
  readonly folds: readonly TextFold[];
}

export interface EditorOptions {
  theme: Theme;
  timers: Timers;
  submit(submission: Submission): void;
  /** Something changed without a key: suggestions arrived. */
  changed?: () => void;
  /** The text is another one. */
  edited?: () => void;
  completer?: Completer;
  history?: readonly string[];
  keys?: Keymap;
  vim?: boolean;
  placeholder?: string;
  /** Asked before any editing; what it uses never changes the text. */
  before?: (event: KeyEvent) => "used" | "passed";
  /** Something was pasted: whoever uses it puts in its place what they like. */
  pasted?: (text: string) => "used" | "passed";
  cursor?: "hardware" | "drawn";
  /** One line only: Enter is all there is. */
  single?: boolean;
  frame?: "rules" | "none";
  /** Rows of text at most; more scroll. */
  maxRows?: number;
}

export interface Editor extends Pane {
  text: string;
  readonly isEmpty: boolean;
  insert(text: string): void;
  attach(name: string, data: unknown): void;
  clear(): void;
  /** The text with what stands behind its marks: what a draft is kept as. */
  draft: EditorDraft;
  /** Takes it as if Enter had been pressed, marks spelled out. */
  take(): Submission;
  /** Earlier texts for the up key, the oldest first. */
  recall(entries: readonly string[]): void;
  /** Whether suggestions stand below the text; they can be sent away. */
  readonly completing: boolean;
  stopCompleting(): void;
  placeholder: string;
  /** What stands in the upper rule, and the colour of both. */
  top: string;
  rule: StyleName;
  vim: boolean;
  readonly mode: Vim["mode"] | "plain";
}

export function createEditor(options: EditorOptions): Editor {
  const { theme, timers } = options;
  const keymap: Keymap = { ...defaultKeymap, ...options.keys };
  const deck = createEditorState(() => options.edited?.());
  const layout = createLayout();
  const recall = createRecall(options.history);
  const completions = createCompletions(options.completer, timers, () => options.changed?.());
  const vim = createVim(deck, { vertical });
  let vimOn = options.vim ?? false;
  let columns = 80;
  let scroll = 0;
  let page = 10;
  /** The column that up and down try to keep. */
  let wish: number | undefined;
  let yanked: readonly [number, number] | undefined;

  function vertical(by: number, how: "move" | "select" = "move"): "moved" | "edge" {
    const { text, cursor } = deck.buffer;
    const lines = layout.lines(text, columns);
    const at = locate(lines, text, cursor);
    const row = at.row + by;
    if ((by < 0 && at.row === 0) || (by > 0 && at.row === lines.length - 1)) return "edge";
    const column = wish ?? at.column;
    deck.move(offsetAt(lines, text, row, column), how);
    wish = column;
    return "moved";
  }

  function type(typed: string) {
    const text = typed.replace(/\r\n?/g, "\n");
    deck.change(insert(deck.buffer, options.single ? text.replace(/\s*\n\s*/g, " ") : text), "type", text);
    edited();
  }

  function edited() {
    wish = undefined;
    yanked = undefined;
    recall.leave();
    completions.typed(deck.buffer.text, deck.buffer.cursor);
  }

  function submit() {
    const { text, cursor } = deck.buffer;
    // A backslash before Enter is the newline of terminals that cannot tell Shift+Enter.
    if (before(text, cursor) === "\\" && !options.single) {
      deck.change({ text: `${text.slice(0, cursor - 1)}\n${text.slice(cursor)}`, cursor }, "other");
      return;
    }
    options.submit(take());
  }

  function take(): Submission {
    completions.close();
    const submission = deck.folds.expand(deck.buffer.text);
    recall.add(submission.text);
    return submission;
  }

  /** What is chosen has been typed out already: Enter sends it. */
  function standing(): boolean {
    const item = completions.items[completions.chosen];
    return item !== undefined && deck.buffer.text.slice(item.from, item.to) === item.insert.trimEnd();
  }

  function accept() {
    const item = completions.items[completions.chosen];
    completions.close();
    if (!item) return;
    const { text } = deck.buffer;
    deck.change(
      { text: text.slice(0, item.from) + item.insert + text.slice(item.to), cursor: item.from + item.insert.length },
      "other",
    );
    edited();
  }

  function walk(by: -1 | 1, select: boolean): void {
    if (vertical(by, select ? "select" : "move") === "moved" || select || options.single) return;
    const entry = by < 0 ? recall.older(deck.buffer.text) : recall.newer();
    if (entry !== undefined) deck.change({ text: entry, cursor: by < 0 ? 0 : entry.length }, "other");
    else deck.move(by < 0 ? 0 : deck.buffer.text.length);
  }

  const deeds: Record<Extract<EditorAction, { do: unknown }>["do"], () => void> = {
    submit,
    newline: () => (options.single ? submit() : type("\n")),
    undo: () => deck.undo(),
    redo: () => deck.redo(),
    complete: () => completions.now(deck.buffer.text, deck.buffer.cursor),
    selectAll: () => deck.change({ text: deck.buffer.text, cursor: deck.buffer.text.length, anchor: 0 }, "other"),
    yank() {
      const text = deck.ring.yank();
      const from = selection(deck.buffer)?.[0] ?? deck.buffer.cursor;
      deck.change(insert(deck.buffer, text), "other");
      yanked = [from, from + text.length];
    },
    yankOlder() {
      if (!yanked) return;
      const [from, to] = yanked;
      const text = deck.ring.older();
      deck.change(insert({ text: deck.buffer.text, cursor: to, anchor: from }, text), "other");
      yanked = [from, from + text.length];
    },
    transpose() {
      const { text, cursor } = deck.buffer;
      const at = cursor === text.length ? step(text, cursor, -1) : cursor;
      const first = step(text, at, -1);
      if (first === at) return;
      const second = step(text, at, 1);
      deck.change(
        {
          text: text.slice(0, first) + text.slice(at, second) + text.slice(first, at) + text.slice(second),
          cursor: second,
        },
        "other",
      );
    },
  };

  function act(action: EditorAction) {
    if ("do" in action) return deeds[action.do]();
    if ("cut" in action) {
      cutText(deck, action.cut, action.keep);
      return edited();
    }
    move(action);
  }

  function move(action: Extract<EditorAction, { move: unknown }>) {
    const how = action.select ? "select" : "move";
    if (action.move === "up" || action.move === "down")
      return walk(action.move === "up" ? -1 : 1, action.select === true);
    if (action.move === "pageUp" || action.move === "pageDown")
      return void vertical(action.move === "pageUp" ? -page : page, how);
    wish = undefined;
    const { text, cursor } = deck.buffer;
    const chosen = selection(deck.buffer);
    // Leaving a selection sideways goes to its edge.
    if (chosen && !action.select && (action.move === "left" || action.move === "right"))
      deck.move(chosen[action.move === "left" ? 0 : 1]);
    else deck.move(motions[action.move](text, cursor, deck.folds.atoms), how);
  }

  function pick(combo: string): boolean {
    if (!completions.open) return false;
    const { text, cursor } = deck.buffer;
    if (combo === "up" || combo === "down") completions.move(combo === "up" ? -1 : 1);
    else if (combo === "tab" && !completions.fit(text)) completions.now(text, cursor);
    else if (combo === "enter" && !completions.fit(text)) return false;
    else if (combo === "tab" || (combo === "enter" && !standing())) accept();
    else if (combo === "escape") completions.close();
    else return false;
    return true;
  }

  function key(event: KeyEvent): "used" | "passed" {
    if (pick(event.combo)) return "used";
    if (options.before?.(event) === "used") return "used";
    if (vimOn && vim.key(event) === "used") return "used";
    const action = keymap[event.combo];
    if (action === "none") return "passed";
    if (action) {
      const keepsYank = "do" in action && (action.do === "yank" || action.do === "yankOlder");
      const was = yanked;
      act(action);
      if (!keepsYank && yanked === was) yanked = undefined;
      return "used";
    }
    if (event.text === "") return "passed";
    type(event.text);
    return "used";
  }

  const editor: Editor = {
    take,
    recall: (entries) => recall.before(entries),
    get draft() {
      return { text: deck.buffer.text, folds: deck.folds.of(deck.buffer.text) };
    },
    set draft({ text, folds }) {
      deck.folds.restore(folds);
      editor.text = text;
    },
    get completing() {
      return completions.open;
    },
    stopCompleting: () => completions.close(),
    placeholder: options.placeholder ?? "",
    top: "",
    rule: "border",
    get text() {
      return deck.buffer.text;
    },
    set text(wanted) {
      const text = wanted.replace(/\r\n?/g, "\n");
      deck.change({ text, cursor: text.length }, "other");
      completions.close();
    },
    get isEmpty() {
      return deck.buffer.text === "";
    },
    spoken: () => deck.buffer.text,
    bounds: () => ({ live: 0 }),
    insert: type,
    attach(name, data) {
      deck.change(insert(deck.buffer, `${deck.folds.attach(name, data)} `), "other");
    },
    clear() {
      deck.reset("");
      deck.folds.clear();
      completions.close();
      vim.reset();
    },
    get vim() {
      return vimOn;
    },
    set vim(on) {
      vimOn = on;
      vim.reset();
    },
    get mode() {
      return vimOn ? vim.mode : "plain";
    },
    input(event: InputEvent) {
      if (event.type === "key") return event.phase === "release" ? "passed" : key(event);
      if (event.type !== "paste") return "passed";
      if (options.pasted?.(event.text) === "used") return "used";
      type(options.single ? event.text : deck.folds.paste(event.text));
      return "used";
    },
    render(width, height) {
      columns = Math.max(1, width - 2);
      const lines = layout.lines(deck.buffer.text, columns);
      const at = locate(lines, deck.buffer.text, deck.buffer.cursor);
      page = Math.max(1, Math.min(options.maxRows ?? Math.max(3, Math.floor(height * 0.4)), lines.length));
      scroll = Math.max(0, Math.min(Math.max(Math.min(scroll, at.row), at.row - page + 1), lines.length - page));
      return drawEditor({
        theme,
        lines,
        at,
        width,
        scroll,
        rows: page,
        buffer: deck.buffer,
        atoms: deck.folds.atoms(deck.buffer.text),
        focused: editor.focused ?? false,
        cursor: options.cursor ?? "hardware",
        placeholder: editor.placeholder,
        frame: options.frame ?? "rules",
        // Where letters are no text, it says so.
        top: [editor.top, vimOn && vim.mode !== "insert" ? vim.mode.replace("-", " ") : ""].filter(Boolean).join(", "),
        rule: editor.rule,
        completions: completions.open ? completions : undefined,
      });
    },
  };
  return editor;
}
