import type { KeyEvent } from "../../../input/event.ts";
import { lineEnd, lineStart, step } from "../buffer.ts";
import type { EditorState } from "../state.ts";
import {
  modeCommands,
  normalCommands,
  operatorAliases,
  replaceBy,
  visualAliases,
  visualCommands,
  visualLineAliases,
} from "./command.ts";
import { type MotionEnd, type MotionInput, motionEnd } from "./motion.ts";
import { type ObjectSide, type TextRange, textObject } from "./object.ts";
import { operatorRange, operators } from "./operate.ts";
import type { VimMode } from "./repeat.ts";
import { VimState } from "./state.ts";

/** Reads keys as the commands of vi that people know by heart; other keys pass through. */
export class Vim {
  readonly #state: VimState;
  readonly #view: { vertical(by: number): unknown };
  /** The last search within a line, for `;` and `,`. */
  #sought: { key: string; char: string } | undefined;

  constructor(editor: EditorState, view: { vertical(by: number): unknown }) {
    this.#state = new VimState(editor);
    this.#view = view;
  }

  get mode(): VimMode {
    return this.#state.mode;
  }

  key(event: KeyEvent): "used" | "passed" {
    const { mode, pending, repeater } = this.#state;
    if (mode === "insert") {
      if (event.combo === "escape") repeater.endInsert();
      else repeater.typed(event);
      return event.combo === "escape" ? "used" : "passed";
    }
    const isIdle = pending.count === "" && !pending.operator && !pending.prefix && !pending.register;
    if (isIdle && (event.combo === "enter" || (event.combo === "escape" && mode === "normal"))) return "passed";
    if (event.combo !== "escape") return this.#command(event);
    if (this.#state.isVisual) this.#state.leaveVisual();
    this.#state.clear();
    this.#rest();
    return "used";
  }

  reset(): void {
    this.#state.mode = "insert";
    this.#state.repeater.drop();
    this.#state.clear();
  }

  #command(event: KeyEvent): "used" | "passed" {
    const key = event.text !== "" ? event.text : event.combo;
    const known = this.#extend(key) || this.#execute(key);
    if (!known) this.#state.clear();
    if (this.#state.mode === "normal") this.#rest();
    return known || event.text !== "" ? "used" : "passed";
  }

  /** Takes a key that leaves the command incomplete, or completes a prefix. */
  #extend(key: string): boolean {
    const { pending } = this.#state;
    if (pending.prefix) this.#finishPrefix(pending.prefix, key);
    else if (/^[1-9]$/.test(key) || (key === "0" && pending.count !== "")) pending.count += key;
    else if (key === ";" || key === ",") this.#seekAgain(key === ";" ? "same" : "other");
    else if (this.#isPrefix(key)) pending.prefix = key;
    else return false;
    return true;
  }

  #isPrefix(key: string): boolean {
    const { pending, isVisual } = this.#state;
    if (key === "i" || key === "a") return pending.operator !== undefined || isVisual;
    return key === "r" ? !pending.operator : ['"', "g", "f", "F", "t", "T"].includes(key);
  }

  #finishPrefix(prefix: string, char: string): void {
    const { pending } = this.#state;
    pending.prefix = undefined;
    if (prefix === '"') pending.register = char;
    else if (prefix === "g") this.#execute(`g${char}`) || this.#state.clear();
    else if (prefix === "r") replaceBy(this.#state, char);
    else if (prefix === "i" || prefix === "a") this.#object(prefix, char);
    else {
      this.#sought = { key: prefix, char };
      this.#seek(prefix, char, this.#state.input);
    }
  }

  #execute(key: string): boolean {
    const { operator } = this.#state.pending;
    const { input, isVisual } = this.#state;
    if (isVisual && this.#visual(key)) return true;
    if (operators.has(key) || (operator?.length === 2 && operator[1] === key)) return this.#operator(key);
    if (operator) {
      this.#operate(operator, key, input);
      return true;
    }
    const alias = operatorAliases[key];
    const command = modeCommands[key] ?? (isVisual ? undefined : normalCommands[key]);
    if (alias) this.#operate(alias[0], alias[1], input);
    else if (command) command(this.#state);
    else if (!this.#move(key, input)) return false;
    this.#state.clear();
    return true;
  }

  #visual(key: string): boolean {
    const operator = visualAliases[key] ?? visualLineAliases[key] ?? (operators.has(key) ? key : undefined);
    const command = visualCommands[key];
    if (operator) this.#state.operateVisual(operator, visualLineAliases[key] ? "lines" : "selection");
    else if (command) {
      command(this.#state);
      this.#state.clear();
    } else return false;
    return true;
  }

  #operator(key: string): boolean {
    const { pending, input } = this.#state;
    const { operator } = pending;
    if (!operator) this.#state.pending = { ...pending, operator: key, operatorCount: pending.count, count: "" };
    else if (operator === key || operator[1] === key) this.#operate(operator, "line", input);
    else this.#state.clear();
    return true;
  }

  #operate(operator: string, key: string, input: MotionInput): void {
    const state = this.#state;
    if (operator === "y") state.operateMotion("y", key, input);
    else if (operatorRange(state.editor.buffer, operator, key, input))
      state.change((again) => state.operateMotion(operator, key, again), input);
    state.clear();
  }

  #move(key: string, input: MotionInput): boolean {
    const { mode, editor } = this.#state;
    if ((key === "j" || key === "k") && mode === "normal") {
      for (let left = input.times; left > 0; left--) this.#view.vertical(key === "j" ? 1 : -1);
      return true;
    }
    const end = motionEnd(editor.buffer, key, input);
    if (end) editor.move(end.to, mode === "normal" ? "move" : "select");
    return end !== undefined || "fFtTjk%+-".includes(key);
  }

  #object(side: ObjectSide, key: string): void {
    const { editor, pending } = this.#state;
    const find = () => textObject(editor.text, editor.cursor, side, key);
    const found = find();
    if (found && pending.operator) this.#operateRange(pending.operator, found, find);
    else if (found) editor.change({ text: editor.text, anchor: found.from, cursor: step(editor.text, found.to, -1) });
    this.#state.clear();
  }

  /** Applies an operator to a range, which is found anew when the change is repeated. */
  #operateRange(operator: string, range: TextRange, find: (input: MotionInput) => TextRange | undefined) {
    const state = this.#state;
    if (operator === "y") return state.operate("y", range);
    state.change((input) => {
      const again = find(input);
      if (again) state.operate(operator, again);
    });
  }

  #seek(key: string, char: string, input: MotionInput): void {
    const { editor, pending, mode } = this.#state;
    const find = (again: MotionInput) => motionEnd(editor.buffer, key, { ...again, char });
    const end = find(input);
    const range = (to: MotionEnd | undefined) => to && spanTo(editor, to);
    if (end && pending.operator)
      this.#operateRange(pending.operator, spanTo(editor, end), (again) => range(find(again)));
    else if (end) editor.move(end.to, mode === "normal" ? "move" : "select");
    this.#state.clear();
  }

  /** Repeats the search; a `t` that stands before its letter already goes on to the next one. */
  #seekAgain(direction: "same" | "other") {
    if (!this.#sought) return this.#state.clear();
    const { key, char } = this.#sought;
    const turned = direction === "same" ? key : key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase();
    const { input, editor } = this.#state;
    const isStuck =
      turned.toLowerCase() === "t" &&
      input.times === 1 &&
      motionEnd(editor.buffer, turned, { ...input, char })?.to === editor.cursor;
    this.#seek(turned, char, isStuck ? { times: 2 } : input);
  }

  /** In normal mode the cursor stands on a letter, not behind the last one. */
  #rest(): void {
    const { text, cursor, pending, editor } = this.#state;
    if (cursor > lineStart(text, cursor) && cursor === lineEnd(text, cursor) && !pending.operator)
      editor.move(step(text, cursor, -1));
  }
}

/** The range between the cursor and the end of a motion. */
function spanTo({ text, cursor }: EditorState, { to, includes }: MotionEnd): TextRange {
  const [from, end] = to < cursor ? [to, cursor] : [cursor, to];
  return { from, to: includes ? step(text, end, 1) : end, lines: false };
}
