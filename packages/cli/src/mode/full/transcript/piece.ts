import type { Block, Look } from "@pith/tui";
import type { Canvas } from "../../../view/canvas.ts";

/** How all pieces are drawn now; the same object for all of them, so that a wish changes every one. */
export interface Ink {
  readonly look: Look;
  /** Whether outputs are shown whole. */
  whole: boolean;
  thinking: "brief" | "whole";
}

/** Something of which more can be seen than there is room for. */
export interface Whole {
  title: string;
  text: string;
  /** Where all of it is, when the record has only a part. */
  artifact?: string | undefined;
}

/** One thing in the transcript. */
export interface Piece extends Block {
  /** All of it, for somebody who wants to see it. */
  whole?(): Whole | undefined;
  /** Shown whole where it stands, as long as it can change. */
  expanded?: boolean;
}

/** Rows of a piece stand behind a gutter of two columns, in which only signs stand. */
export const gutter = 2;

export const indented = (rows: readonly string[]): string[] => rows.map((row) => (row === "" ? row : `  ${row}`));

/** What a view draws on, inside of the gutter. */
export const canvasOf = ({ look, whole }: Ink, columns: number, height: number, expanded = false): Canvas => ({
  look,
  columns: Math.max(10, columns - gutter),
  height: whole || expanded ? Number.MAX_SAFE_INTEGER : height,
});
