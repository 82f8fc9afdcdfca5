import type { InputEvent, KeyEvent } from "../../input/event.ts";
import type { Pane, PaneBounds } from "../../screen/frame.ts";
import type { Timers } from "../../screen/scheduler.ts";
import type { StyleName, Theme } from "../../theme/theme.ts";
import { before, insert, selection, transpose } from "./buffer.ts";
import { type Completer, Completions } from "./complete.ts";
import { drawEditor } from "./draw.ts";
import type { TextFold } from "./fold.ts";
import { defaultKeymap, type EditorAction, type EditorCommand, type Keymap } from "./keymap.ts";
import { Recall } from "./recall.ts";
import { EditorState, motions } from "./state.ts";
import { EditorViewport } from "./viewport.ts";
import { Vim } from "./vim/vim.ts";

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
  /** Called when something changed without a key: suggestions arrived. */
  changed?: () => void;
  /** Called when the text is another one. */
  edited?: () => void;
  completer?: Completer;
  keys?: Keymap;
  vim?: boolean;
  placeholder?: string;
  /** Asked before any editing; a key that it uses never changes the text. */
  before?: (event: KeyEvent) => "used" | "passed";
  /** Asked before a paste is inserted; whoever uses it inserts something else. */
  pasted?: (text: string) => "used" | "passed";
  cursor?: "hardware" | "drawn";
  /** Keeps the text on one line: the newline keys send it. */
  single?: boolean;
  frame?: "rules" | "none";
  /** The most rows of text in sight. */
  maxRows?: number;
}

export const createEditor = (options: EditorOptions): Editor => new Editor(options);

const unixLines = (text: string) => text.replace(/\r\n?/g, "\n");

/** A text that is written by keys, with undo, completion, recall of earlier texts, and vi keys where they are wanted. */
export class Editor implements Pane {
  focused = false;
  placeholder: string;
  /** Text in the upper rule. */
  top = "";
  rule: StyleName = "border";
  readonly #options: EditorOptions;
  readonly #keymap: Keymap;
  readonly #state: EditorState;
  readonly #viewport: EditorViewport;
  readonly #recall = new Recall();
  readonly #completions: Completions;
  readonly #vim: Vim;
  #isVim: boolean;

  constructor(options: EditorOptions) {
    this.#options = options;
    this.#keymap = { ...defaultKeymap, ...options.keys };
    this.#state = new EditorState(() => options.edited?.());
    this.#viewport = new EditorViewport(this.#state);
    this.#completions = new Completions(options.completer, options.timers, () => options.changed?.());
    this.#vim = new Vim(this.#state, this.#viewport);
    this.#isVim = options.vim ?? false;
    this.placeholder = options.placeholder ?? "";
  }

  get text(): string {
    return this.#state.text;
  }

  set text(wanted: string) {
    const text = unixLines(wanted);
    this.#state.change({ text, cursor: text.length });
    this.#completions.close();
  }

  get isEmpty(): boolean {
    return this.text === "";
  }

  /** The text with what its marks stand for, to be kept and put back. */
  get draft(): EditorDraft {
    return { text: this.text, folds: this.#state.folds.of(this.text) };
  }

  set draft({ text, folds }: EditorDraft) {
    this.#state.folds.restore(folds);
    this.text = text;
  }

  /** True while suggestions stand below the text. */
  get completing(): boolean {
    return this.#completions.open;
  }
  get vim(): boolean {
    return this.#isVim;
  }

  set vim(on: boolean) {
    this.#isVim = on;
    this.#vim.reset();
  }

  get mode(): Vim["mode"] | "plain" {
    return this.#isVim ? this.#vim.mode : "plain";
  }

  stopCompleting(): void {
    this.#completions.close();
  }

  insert(typed: string): void {
    const text = unixLines(typed);
    const line = this.#options.single ? text.replace(/\s*\n\s*/g, " ") : text;
    this.#state.change(insert(this.#state.buffer, line), "type", text);
    this.#edited();
  }

  attach(name: string, data: unknown): void {
    this.#state.change(insert(this.#state.buffer, `${this.#state.folds.attach(name, data)} `));
  }

  clear(): void {
    this.#state.clear();
    this.#completions.close();
    this.#vim.reset();
  }

  /** Takes the text as Enter does: marks are replaced by what they stand for. The text itself stays. */
  take(): Submission {
    this.#completions.close();
    const submission = this.#state.folds.expand(this.text);
    this.#recall.add(submission.text);
    return submission;
  }

  /** Adds earlier texts for the up key, the oldest first. */
  recall(entries: readonly string[]): void {
    this.#recall.prepend(entries);
  }

  spoken(): string {
    return this.text;
  }

  bounds(): PaneBounds {
    return { live: 0 };
  }

  input(event: InputEvent): "used" | "passed" {
    if (event.type === "key") return event.phase === "release" ? "passed" : this.#key(event);
    if (event.type !== "paste") return "passed";
    if (this.#options.pasted?.(event.text) === "used") return "used";
    this.insert(this.#options.single ? event.text : this.#state.folds.paste(event.text));
    return "used";
  }

  render(width: number, height: number): readonly string[] {
    const {
      maxRows = Math.max(3, Math.floor(height * 0.4)),
      cursor = "hardware",
      frame = "rules",
      theme,
    } = this.#options;
    const shown = this.#viewport.fit(Math.max(1, width - 2), maxRows);
    const { buffer, folds } = this.#state;
    const atoms = folds.atoms(buffer.text);
    // The rule names a mode in which letters are commands.
    const mode = this.#isVim && this.#vim.mode !== "insert" ? this.#vim.mode.replace("-", " ") : "";
    const top = [this.top, mode].filter(Boolean).join(", ");
    const completions = this.#completions.open ? this.#completions : undefined;
    return drawEditor({ ...shown, editor: this, theme, buffer, atoms, width, cursor, frame, top, completions });
  }

  #key(event: KeyEvent): "used" | "passed" {
    if (this.#pick(event.combo)) return "used";
    if (this.#options.before?.(event) === "used") return "used";
    if (this.#isVim && this.#vim.key(event) === "used") return "used";
    const action = this.#keymap[event.combo];
    if (action === "none" || (!action && event.text === "")) return "passed";
    if (action) this.#act(action);
    else this.insert(event.text);
    return "used";
  }

  /** Keys for suggestions, while there are some. */
  #pick(combo: string): boolean {
    const { open, current } = this.#completions;
    if (!open) return false;
    const { text, cursor } = this.#state;
    const fits = this.#completions.fit(text);
    // Enter sends a text in which the suggestion is typed out already.
    const isTyped = current !== undefined && text.slice(current.from, current.to) === current.insert.trimEnd();
    if (combo === "up" || combo === "down") this.#completions.move(combo === "up" ? -1 : 1);
    else if (combo === "escape") this.#completions.close();
    else if (combo === "tab" && !fits) this.#completions.now(text, cursor);
    else if (combo === "tab" || (combo === "enter" && fits && !isTyped)) this.#accept();
    else return false;
    return true;
  }

  #accept(): void {
    const { current } = this.#completions;
    this.#completions.close();
    if (!current) return;
    const { insert: inserted, from, to } = current;
    const text = this.text.slice(0, from) + inserted + this.text.slice(to);
    this.#state.change({ text, cursor: from + inserted.length });
    this.#edited();
  }

  #act(action: EditorAction): void {
    if (!("do" in action && yanks.has(action.do))) this.#state.endYank();
    if ("move" in action) this.#move(action);
    else if ("do" in action) this.#commands[action.do]();
    else {
      this.#state.cut(action.cut, action.keep);
      this.#edited();
    }
  }

  readonly #commands: Record<EditorCommand, () => void> = {
    submit: () => this.#submit(),
    newline: () => (this.#options.single ? this.#submit() : this.insert("\n")),
    undo: () => this.#state.undo(),
    redo: () => this.#state.redo(),
    complete: () => this.#completions.now(this.text, this.#state.cursor),
    selectAll: () => this.#state.change({ text: this.text, cursor: this.text.length, anchor: 0 }),
    yank: () => this.#state.yank(),
    yankOlder: () => this.#state.yankOlder(),
    transpose: () => this.#state.change(transpose(this.#state.buffer) ?? this.#state.buffer),
  };

  #submit(): void {
    const { text, cursor } = this.#state;
    // A backslash before Enter is the newline of terminals that cannot tell Shift+Enter.
    if (before(text, cursor) === "\\" && !this.#options.single)
      this.#state.change({ text: `${text.slice(0, cursor - 1)}\n${text.slice(cursor)}`, cursor });
    else this.#options.submit(this.take());
  }

  #move({ move, select }: Extract<EditorAction, { move: unknown }>) {
    const how = select ? "select" : "move";
    const { page } = this.#viewport;
    if (move === "up" || move === "down") return this.#walk(move === "up" ? -1 : 1, how);
    if (move === "pageUp" || move === "pageDown")
      return void this.#viewport.vertical(move === "pageUp" ? -page : page, how);
    this.#viewport.forgetColumn();
    const { text, cursor, folds } = this.#state;
    const chosen = selection(this.#state.buffer);
    // Leaving a selection sideways goes to its edge.
    if (chosen && !select && (move === "left" || move === "right")) this.#state.move(chosen[move === "left" ? 0 : 1]);
    else this.#state.move(motions[move](text, cursor, folds.atoms), how);
  }

  /** Moves by a row; beyond the first and the last one it walks through earlier texts. */
  #walk(by: -1 | 1, how: "move" | "select"): void {
    if (this.#viewport.vertical(by, how) === "moved" || how === "select" || this.#options.single) return;
    const entry = by < 0 ? this.#recall.older(this.text) : this.#recall.newer();
    if (entry !== undefined) this.#state.change({ text: entry, cursor: by < 0 ? 0 : entry.length });
    else this.#state.move(by < 0 ? 0 : this.text.length);
  }

  #edited(): void {
    this.#viewport.forgetColumn();
    this.#state.endYank();
    this.#recall.leave();
    this.#completions.typed(this.text, this.#state.cursor);
  }
}

const yanks: ReadonlySet<EditorCommand> = new Set(["yank", "yankOlder"]);
