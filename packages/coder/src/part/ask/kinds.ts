import { type ResultKind, schema as s } from "@pith/agent";
import { plural } from "@pith/kit";

/** A question and its answer, or a list of them. */
export type AskData = AnsweredQuestion | { results: ({ id: string } & AnsweredQuestion)[] };

export interface AnsweredQuestion {
  question: string;
  options: string[];
  multi: boolean;
  /** In the order of choosing. */
  selectedOptions: string[];
  customInput?: string;
}

export const kinds: { ask: ResultKind<AskData> } = {
  ask: {
    schema: () =>
      s.object({
        question: s.string().optional(),
        options: s.array(s.string()).optional(),
        multi: s.boolean().optional(),
        selectedOptions: s.array(s.string()).optional(),
        customInput: s.string().optional(),
        results: s.array(s.unknown()).describe("of several questions: these fields of each, with its `id`").optional(),
      }),
    brief(data) {
      const [first, ...more] = "results" in data ? data.results : [data];
      return first && more.length === 0
        ? answerText(first)
        : plural(more.length + Number(first !== undefined), "answer");
    },
  },
};

/** Joins what was chosen and typed. */
export const answerText = ({ selectedOptions, customInput }: AnsweredQuestion): string =>
  [...selectedOptions, ...(customInput === undefined ? [] : [`“${customInput}”`])].join(", ") || "nothing";
