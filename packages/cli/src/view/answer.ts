import { createMarkdownStream, type MarkdownStream } from "@pith/tui/prose";
import type { Canvas } from "./canvas.ts";

/** An answer as rows that come once and never change. */
export interface AnswerRows {
  /** The rows that this text adds. */
  append(text: string): readonly string[];
  /** The rows that are left. */
  finish(): readonly string[];
}

/** The part of the time that drawing may take, so that no text keeps anybody waiting. */
const share = 0.2;

export function openAnswer({ theme, columns }: Canvas, now: () => number = () => performance.now()): AnswerRows {
  const stream: MarkdownStream = createMarkdownStream({ theme });
  let shown = 0;
  let drawn = { at: Number.NEGATIVE_INFINITY, took: 0 };
  const draw = (): readonly string[] => {
    const began = now();
    const rows = stream.rows(columns);
    drawn = { at: now(), took: now() - began };
    return rows;
  };
  return {
    append(text) {
      stream.append(text);
      if (now() - drawn.at < drawn.took / share) return [];
      const rows = draw().slice(shown, stream.steady);
      shown += rows.length;
      return rows;
    },
    finish() {
      stream.finish();
      return draw().slice(shown);
    },
  };
}
