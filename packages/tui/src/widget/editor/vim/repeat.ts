import type { KeyEvent } from "../../../input/event.ts";
import { insert, lineEnd, lineStart, moveTo, remove, step } from "../buffer.ts";
import type { EditorState } from "../state.ts";
import type { MotionInput } from "./motion.ts";

export type VimMode = "insert" | "normal" | "visual" | "visual-line";

/** Makes changes that `.` repeats, with the keys typed after them; a change and its keys are one undo step. */
export class Repeater {
  readonly #vim: { mode: VimMode; readonly editor: EditorState };
  #last: { run(input: MotionInput): void; input: MotionInput; lead?: string; keys: readonly KeyEvent[] } | undefined;
  /** Keys since a change led into insert mode, and the undo step they belong to. */
  #typing: { keys: KeyEvent[]; depth: number; times: number; lead?: string } | undefined;
  #isRepeating = false;

  constructor(vim: { mode: VimMode; readonly editor: EditorState }) {
    this.#vim = vim;
  }

  /** With a lead, the text typed after it is inserted as often as the count says, each time behind the lead. */
  make(run: (input: MotionInput) => void, input: MotionInput, lead?: string): void {
    const { editor } = this.#vim;
    const { depth } = editor;
    run(input);
    if (this.#vim.mode === "insert")
      this.#typing = { keys: [], depth, times: lead === undefined ? 1 : input.times, lead };
    else editor.join(depth);
    if (!this.#isRepeating) this.#last = { run, input, lead, keys: this.#typing?.keys ?? [] };
  }

  /** Repeats the last change, with another count if there is one. */
  repeat(count: number | undefined): void {
    if (!this.#last) return;
    const { run, input, keys, lead } = this.#last;
    this.#isRepeating = true;
    this.make(run, count === undefined ? input : { times: count, count }, lead);
    if (this.#typing) {
      this.#typing.keys = [...keys];
      this.#type(keys);
      this.endInsert();
    }
    this.#isRepeating = false;
  }

  typed(event: KeyEvent): void {
    this.#typing?.keys.push(event);
  }

  /** Leaves insert mode. */
  endInsert(): void {
    const { editor } = this.#vim;
    const { keys, times, lead, depth } = this.#typing ?? { keys: [], times: 1 };
    for (let more = times - 1; more > 0; more--) {
      if (lead) editor.change(insert(moveTo(editor.buffer, lineEnd(editor.text, editor.cursor)), lead), "type");
      this.#type(keys);
    }
    if (depth !== undefined) editor.join(depth);
    this.drop();
    this.#vim.mode = "normal";
    if (editor.cursor > lineStart(editor.text, editor.cursor)) editor.move(step(editor.text, editor.cursor, -1));
  }

  /** Forgets the keys of insert mode. */
  drop(): void {
    this.#typing = undefined;
  }

  #type(keys: readonly KeyEvent[]): void {
    const { editor } = this.#vim;
    for (const { text, combo } of keys) {
      const { buffer } = editor;
      if (combo === "backspace")
        editor.change(remove(buffer, step(buffer.text, buffer.cursor, -1), buffer.cursor), "delete");
      else if (text !== "" || newlines.has(combo)) editor.change(insert(buffer, text || "\n"), "type");
    }
  }
}

const newlines = new Set(["shift+enter", "alt+enter", "ctrl+enter", "ctrl+j"]);
