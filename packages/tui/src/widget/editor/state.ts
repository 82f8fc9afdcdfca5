import {
  type Atoms,
  emptyBuffer,
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
import { createFolds, type TextFolds } from "./fold.ts";
import { type ChangeKind, createKillRing, createUndo, type KillRing } from "./undo.ts";

/** A buffer with its past: what every way of editing works on. */
export interface EditorState {
  readonly buffer: TextBuffer;
  readonly folds: TextFolds;
  readonly ring: KillRing;
  /** A change that can be undone. */
  change(next: TextBuffer, kind: ChangeKind, text?: string): void;
  /** A move of the cursor; typing after it is a new step. */
  move(cursor: number, how?: "move" | "select"): void;
  undo(): void;
  redo(): void;
  /** Steps so far, and everything since then as one step. */
  readonly depth: number;
  join(depth: number): void;
  reset(text: string): void;
}

export function createEditorState(changed: () => void = () => {}): EditorState {
  let buffer: TextBuffer = emptyBuffer;
  const past = createUndo();
  const ring = createKillRing();
  const folds = createFolds();
  return {
    get buffer() {
      return buffer;
    },
    folds,
    ring,
    change(next, kind, text) {
      if (next.text !== buffer.text) past.note(buffer, kind, text);
      if (kind !== "delete") ring.close();
      const other = next.text !== buffer.text;
      buffer = next;
      if (other) changed();
    },
    move(cursor, how) {
      buffer = moveTo(buffer, cursor, how);
      past.close();
      ring.close();
    },
    undo() {
      buffer = past.undo(buffer) ?? buffer;
      changed();
    },
    redo() {
      buffer = past.redo(buffer) ?? buffer;
      changed();
    },
    get depth() {
      return past.depth;
    },
    join: (depth) => past.join(depth),
    reset(text) {
      buffer = { text, cursor: text.length };
      past.clear();
      ring.close();
      changed();
    },
  };
}

/** Where a motion leads; up and down need a layout and live with the view. */
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

/** Takes the text up to where a motion leads (or the selection) away; `ring` keeps it. */
export function cutText(deck: EditorState, motion: Motion, keep: "ring" | "drop") {
  const { buffer } = deck;
  const chosen = selection(buffer);
  let to: number = motions[motion](buffer.text, buffer.cursor, deck.folds.atoms);
  // At the end of a line the line end itself goes, so that cutting never gets stuck.
  if (!chosen && to === buffer.cursor && motion === "lineEnd") to = step(buffer.text, buffer.cursor, 1);
  if (!chosen && to === buffer.cursor && motion === "lineStart") to = step(buffer.text, buffer.cursor, -1);
  const [from, end] = chosen ?? [Math.min(to, buffer.cursor), Math.max(to, buffer.cursor)];
  if (from === end) return;
  if (keep === "ring") deck.ring.kill(buffer.text.slice(from, end), to < buffer.cursor ? "before" : "after");
  deck.change(remove(buffer, from, end), "delete");
}
