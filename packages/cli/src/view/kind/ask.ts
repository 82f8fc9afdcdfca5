import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { oneLine, rowOf, type View } from "../canvas.ts";

type Answered = Exclude<Data["ask"], { results: unknown }>;

const all = (data: Data["ask"]): readonly Answered[] => ("results" in data ? data.results : [data]);

const said = ({ selectedOptions, customInput }: Answered): string =>
  [...selectedOptions, ...(customInput === undefined ? [] : [`“${customInput}”`])].join(", ") || "nothing";

/** What was asked, and below each question what was answered. */
export const ask: View<Data["ask"]> = {
  brief: (data) => {
    const answers = all(data);
    return answers.length === 1 ? said(answers[0] as Answered) : plural(answers.length, "answer");
  },
  rows(data, _, canvas) {
    const { glyph } = canvas.theme;
    return all(data).flatMap((answered) => [
      rowOf(oneLine(answered.question), canvas, "dim"),
      rowOf(`${glyph.pointer} ${oneLine(said(answered))}`, canvas),
    ]);
  },
};
