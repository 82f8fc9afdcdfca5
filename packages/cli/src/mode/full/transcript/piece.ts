import type { Entry } from "@pith/agent";
import type { Image, Message } from "@pith/llm";
import { type createHighlighter, pad, type StyleName, type Theme, type TranscriptBlock } from "@pith/tui";
import type { Canvas } from "../../../view/canvas.ts";
import type { Album } from "./album.ts";

/** How all pieces are drawn now; the same object for all of them, so that a wish changes every one. */
export interface PieceStyle {
  readonly theme: Theme;
  readonly album: Album;
  /** Colours of code; only letters where nobody looks at them. */
  readonly code?: ReturnType<typeof createHighlighter>;
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
export interface Piece extends TranscriptBlock {
  /** All of it, for somebody who wants to see it. */
  whole?(): Whole | undefined;
  /** Shown whole where it stands, as long as it can change. */
  expanded?: boolean;
}

/** From this a piece can be made again: it holds ids of entries, or a few words of ours. Undefined: it is gone. */
export type Address = () => Piece | undefined;

/** Where pieces go. `settle`: it is final, and this is where it can be found again. */
export interface PieceList {
  add(piece: Piece, address?: Address): void;
  settle(piece: Piece, address: Address): void;
  /** The piece and all after it were never meant to be. */
  cut(piece: Piece): void;
  entry(id: string): Entry | undefined;
}

/** Rows of a piece stand behind a gutter of two columns, in which only signs stand. */
export const gutter = 2;

export const indented = (rows: readonly string[]): string[] => rows.map((row) => (row === "" ? row : `  ${row}`));

/** What a view draws on, inside of the gutter. */
export const canvasOf = ({ theme, whole }: PieceStyle, columns: number, height: number, expanded = false): Canvas => ({
  theme,
  columns: Math.max(10, columns - gutter),
  height: whole || expanded ? Number.POSITIVE_INFINITY : height,
});

export const imagesOf = (content: Message["content"]): Image[] =>
  typeof content === "string" ? [] : content.filter((part): part is Image => part.type === "image");

/** A row on the ground of its kind, from edge to edge; as it is where the theme has none for it. */
export const grounded = (theme: Theme, token: StyleName, row: string, columns: number): string =>
  theme.paint(token, " ") === " " ? row : theme.paint(token, pad(row, columns));
