import type { ScreenContext } from "../context.ts";

/** Adds an empty row below rows that would otherwise read as a part of the question. */
export const spaced = ({ coder }: ScreenContext, rows: readonly string[]): readonly string[] =>
  rows.length > 0 && coder && coder.scene.questions.length > 0 ? [...rows, ""] : rows;
