import {
  type Atoms,
  emptyBuffer,
  insert,
  lineEnd,
  lineStart,
  moveTo,
  remove,
  selection,
  step,
  type TextBuffer,
  wordLeft,
  wordRight,
} from "./buffer.ts";
import { TextFolds } from "./fold.ts";
import { type ChangeKind, KillRing, UndoHistory } from "./undo.ts";

/** A buffer with its undo steps, its folds and the texts that were cut from it. */
export class EditorState {
  readonly folds: TextFolds = new TextFolds();
  readonly ring: KillRing = new KillRing();
  readonly #history = new UndoHistory();
  readonly #edited: () => void;
  #buffer: TextBuffer = emptyBuffer;
  /** The range of the last yank, while nothing else has been done. */
  #yanked: readonly [from: number, to: number] | undefined;

  /** `edited` is called when the text is another one. */
  constructor(edited: () => void) {
    this.#edited = edited;
  }

  get buffer(): TextBuffer {
    return this.#buffer;
  }
  get text(): string {
    return this.#buffer.text;
  }

  get cursor(): number {
    return this.#buffer.cursor;
  }
  get depth(): number {
    return this.#history.depth;
  }

  /** Makes a change that can be undone. */
  change(next: TextBuffer, kind: ChangeKind = "other", typed?: string): void {
    const isOther = next.text !== this.text;
    if (isOther) this.#history.record(this.#buffer, kind, typed);
    if (kind !== "delete") this.ring.close();
    this.#buffer = next;
    if (isOther) this.#edited();
  }

  /** Moves the cursor; typing after it is a new step. */
  move(cursor: number, how?: "move" | "select"): void {
    this.#buffer = moveTo(this.#buffer, cursor, how);
    this.#history.close();
    this.ring.close();
  }

  undo(): void {
    this.#restore(this.#history.undo(this.#buffer));
  }

  redo(): void {
    this.#restore(this.#history.redo(this.#buffer));
  }

  /** Makes all steps beyond `depth` one step. */
  join(depth: number): void {
    this.#history.join(depth);
  }

  /** Cuts the selection, or the text up to the end of a motion; `ring` keeps it for a yank. */
  cut(motion: Motion, keep: "ring" | "drop"): void {
    const { text, cursor } = this.#buffer;
    const chosen = selection(this.#buffer);
    let to: number = motions[motion](text, cursor, this.folds.atoms);
    // At the end of a line the line end itself goes, so that cutting never gets stuck.
    if (!chosen && to === cursor && motion === "lineEnd") to = step(text, cursor, 1);
    if (!chosen && to === cursor && motion === "lineStart") to = step(text, cursor, -1);
    const [from, end] = chosen ?? [Math.min(to, cursor), Math.max(to, cursor)];
    if (from === end) return;
    if (keep === "ring") this.ring.kill(text.slice(from, end), to < cursor ? "before" : "after");
    this.change(remove(this.#buffer, from, end), "delete");
  }

  yank(): void {
    const from = selection(this.#buffer)?.[0] ?? this.cursor;
    this.#insertYank(this.#buffer, from, this.ring.yank());
  }

  /** Replaces the last yank by the piece before it. */
  yankOlder(): void {
    if (!this.#yanked) return;
    const [from, cursor] = this.#yanked;
    this.#insertYank({ text: this.text, cursor, anchor: from }, from, this.ring.older());
  }

  endYank(): void {
    this.#yanked = undefined;
  }

  /** Begins anew with an empty text, without undo steps. */
  clear(): void {
    this.folds.restore([]);
    this.#history.clear();
    this.ring.close();
    this.#restore(emptyBuffer);
  }

  #insertYank(buffer: TextBuffer, from: number, text: string): void {
    this.change(insert(buffer, text));
    this.#yanked = [from, from + text.length];
  }

  #restore(buffer: TextBuffer | undefined): void {
    this.#buffer = buffer ?? this.#buffer;
    this.#edited();
  }
}

/** Ends of motions in a text; up and down need a layout and are made by the viewport. */
export const motions = {
  left: (text: string, at: number, atoms: Atoms) => step(text, at, -1, atoms),
  right: (text: string, at: number, atoms: Atoms) => step(text, at, 1, atoms),
  wordLeft,
  wordRight,
  lineStart: (text: string, at: number) => lineStart(text, at),
  lineEnd: (text: string, at: number) => lineEnd(text, at),
  textStart: () => 0,
  textEnd: (text: string) => text.length,
} as const;
export type Motion = keyof typeof motions;
