import type { Entry } from "@pith/agent";
import type { Image, Message, ToolCall, ToolResultMessage } from "@pith/llm";
import { type createHighlighter, pad, type StyleName, type Theme, type TranscriptBlock } from "@pith/tui";
import type { Canvas } from "../../../view/canvas.ts";
import type { Album } from "./album.ts";

/** The style of all pieces, which share this object; it changes when the person wants another one. */
export interface PieceStyle {
  readonly theme: Theme;
  readonly album: Album;
  /** Colours code; left out where nobody sees colours. */
  readonly code?: ReturnType<typeof createHighlighter>;
  /** True while outputs are shown at full height. */
  whole: boolean;
  thinking: "brief" | "whole";
}

/** The text of a piece, for a window of its own. */
export interface Whole {
  title: string;
  text: string;
  /** The artifact with all of it, when the record has only a part. */
  artifact?: string | undefined;
}

/** A message, a call or a line in the transcript. */
export interface Piece extends TranscriptBlock {
  whole?(): Whole | undefined;
  /** True to draw it at full height, as long as it can change. */
  expanded?: boolean;
}

/** Makes a piece again from ids of entries or from a few words; undefined when they are gone. */
export type Address = () => Piece | undefined;

/** The pieces of a transcript, in order. */
export interface PieceList {
  add(piece: Piece, address?: Address): void;
  /** Takes the piece for final, and its address for the way to make it again. */
  settle(piece: Piece, address: Address): void;
  /** Removes the piece and all behind it. */
  cut(piece: Piece): void;
  entry(id: string): Entry | undefined;
}

/** The call of this id in an entry of the record. */
export function callIn(list: PieceList, entry: string | undefined, id: string): ToolCall | undefined {
  const found = entry === undefined ? undefined : list.entry(entry);
  if (found?.type !== "message" || found.message.role !== "assistant") return undefined;
  return found.message.content.find((part): part is ToolCall => part.type === "toolCall" && part.id === id);
}

export function resultAt(list: PieceList, entry: string | undefined): ToolResultMessage | undefined {
  const found = entry === undefined ? undefined : list.entry(entry);
  return found?.type === "message" && found.message.role === "toolResult" ? found.message : undefined;
}

/** Rows of a result, of a call that runs, and of a shell command. */
export const heights = { result: 12, live: 6, run: 20 };

/** Columns before the rows of a piece, in which only signs stand. */
export const gutter = 2;

export const indented = (rows: readonly string[]): string[] => rows.map((row) => (row === "" ? row : `  ${row}`));

/** The canvas of a view, inside of the gutter. */
export const canvasOf = (
  { theme, whole, code }: PieceStyle,
  columns: number,
  height: number,
  expanded = false,
): Canvas => ({
  theme,
  columns: Math.max(10, columns - gutter),
  height: whole || expanded ? Number.POSITIVE_INFINITY : height,
  code,
});

export const imagesOf = (content: Message["content"]): Image[] =>
  typeof content === "string" ? [] : content.filter((part): part is Image => part.type === "image");

/** Paints a row from edge to edge with the background of its kind, if the theme has one. */
export const grounded = (theme: Theme, token: StyleName, row: string, columns: number): string =>
  theme.paint(token, " ") === " " ? row : theme.paint(token, pad(row, columns));
