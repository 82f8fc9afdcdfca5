import type { ScreenContext } from "../context.ts";

/** What stands right above a question would read as a part of it. */
export const spaced = ({ coder }: ScreenContext, rows: readonly string[]): readonly string[] =>
  rows.length > 0 && coder && coder.scene.questions.length > 0 ? [...rows, ""] : rows;
