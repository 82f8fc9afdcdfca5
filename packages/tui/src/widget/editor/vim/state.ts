import { insert, lineEnd, moveTo, selection, step, type TextBuffer } from "../buffer.ts";
import type { EditorState } from "../state.ts";
import type { MotionInput } from "./motion.ts";
import type { TextRange } from "./object.ts";
import { applyOperator, operatorRange, widenRange } from "./operate.ts";
import { Registers } from "./register.ts";
import { Repeater, type VimMode } from "./repeat.ts";

/** A command as far as it is typed: `"a2d3w` is a register, a count, an operator, a count and a motion. */
export interface PendingCommand {
  register?: string;
  count: string;
  operator?: string;
  operatorCount?: string;
  /** A key that needs the next one, such as `f`. */
  prefix?: string;
}

/** A buffer that has a mode, registers and a repeatable last change, and the steps that commands are made of. */
export class VimState {
  mode: VimMode = "insert";
  pending: PendingCommand = { count: "" };
  readonly editor: EditorState;
  readonly registers: Registers = new Registers();
  readonly repeater: Repeater;

  constructor(editor: EditorState) {
    this.editor = editor;
    this.repeater = new Repeater(this);
  }

  get text(): string {
    return this.editor.text;
  }
  get cursor(): number {
    return this.editor.cursor;
  }

  get isVisual(): boolean {
    return this.mode === "visual" || this.mode === "visual-line";
  }

  get input(): MotionInput {
    const counts = [this.pending.operatorCount, this.pending.count].filter(Boolean);
    if (counts.length === 0) return { times: 1 };
    const count = counts.reduce((product, each) => Math.min(9999, product * Number(each)), 1);
    return { times: count, count };
  }

  /** Ends the pending command. */
  clear(): void {
    this.pending = { count: "" };
  }

  /** Makes a change that `.` repeats. */
  change(run: (input: MotionInput) => void, input: MotionInput = this.input, lead?: string): void {
    this.repeater.make(run, input, lead);
    this.clear();
  }

  /** Makes a repeatable change of an effect that returns a new buffer, or undefined where it has none. */
  apply(effect: (buffer: TextBuffer, input: MotionInput) => TextBuffer | undefined, input?: MotionInput): void {
    this.change((given) => {
      const next = effect(this.editor.buffer, given);
      if (next) this.editor.change(next);
    }, input);
  }

  /** Enters insert mode at a place, behind the lead. */
  insertAt(place: (buffer: TextBuffer) => number, lead = ""): void {
    const begin = () => {
      const { buffer } = this.editor;
      this.editor.change(insert(moveTo(buffer, place(buffer)), lead));
      this.mode = "insert";
    };
    this.change(begin, this.input, lead);
  }

  operate(operator: string, wanted: TextRange, cursor: number = wanted.from): void {
    const range = widenRange(this.text, wanted);
    const { lines } = range;
    const text = this.text.slice(range.from, range.to);
    if (["d", "c", "y"].includes(operator) && (text !== "" || lines)) {
      this.registers.keep(this.pending.register, { text, lines }, operator === "y" ? "yank" : "delete");
      this.editor.ring.kill(text, "after");
      this.editor.ring.close();
    }
    this.editor.change(applyOperator(this.editor.buffer, operator, range, cursor));
    if (operator === "c") this.mode = "insert";
  }

  operateMotion(operator: string, key: string, input: MotionInput): void {
    const range = operatorRange(this.editor.buffer, operator, key, input);
    if (range) this.operate(operator, range, key === "line" ? this.cursor : undefined);
  }

  /** Applies an operator to the selection; repeated, to as many lines or as many characters. */
  operateVisual(operator: string, scope: "lines" | "selection"): void {
    const range = this.leaveVisual();
    const lines = scope === "lines" || range.lines;
    const selected = this.text.slice(range.from, range.to);
    const byLines = lines || selected.includes("\n");
    const count = byLines ? range.lineCount : selected.length;
    const first = { from: range.from, to: range.to, lines };
    if (operator === "y") {
      this.operate("y", first);
      this.clear();
      return;
    }
    let isFirst = true;
    this.change(() => {
      const { text, cursor } = this;
      if (isFirst) this.operate(operator, first);
      else if (byLines) this.operateMotion(operator, "line", { times: count });
      else this.operate(operator, { from: cursor, to: Math.min(lineEnd(text, cursor), cursor + count), lines: false });
      isFirst = false;
    });
  }

  enterVisual(mode: "visual" | "visual-line"): void {
    if (this.mode === mode) return void this.leaveVisual();
    if (!this.isVisual) this.editor.change({ ...this.editor.buffer, anchor: this.cursor });
    this.mode = mode;
  }

  /** Ends visual mode; returns what was selected. */
  leaveVisual(): TextRange & { lineCount: number } {
    const [from, end] = selection(this.editor.buffer) ?? [this.cursor, this.cursor];
    const lines = this.mode === "visual-line";
    const lineCount = this.text.slice(from, end).split("\n").length;
    this.mode = "normal";
    this.editor.move(this.cursor);
    return { from, to: lines ? end : step(this.text, end, 1), lines, lineCount };
  }
}
