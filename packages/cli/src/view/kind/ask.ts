import type { Data } from "@pith/agent";
import { answerText } from "@pith/coder";
import { plainLine, rowOf, type View } from "../canvas.ts";

const all = (data: Data["ask"]) => ("results" in data ? data.results : [data]);

/** Questions with their answers. */
export const ask: View<Data["ask"]> = {
  rows(data, _, canvas) {
    const { glyph } = canvas.theme;
    return all(data).flatMap((answered) => [
      rowOf(plainLine(answered.question), canvas, "dim"),
      rowOf(`${glyph.pointer} ${plainLine(answerText(answered))}`, canvas),
    ]);
  },
};
