import { type Answer, type Outcome, type QuestionDraft, refusal, schema as s, type Tool } from "@pith/agent";
import type { AnsweredQuestion } from "./kinds.ts";
import type { AskedQuestion, Asking, QuestionAnswer } from "./series.ts";
import about from "./tool.md" with { type: "text" };

const question = s.object({
  id: s.string().min(1).describe("Names the answer"),
  question: s.string().min(1),
  options: s
    .array(s.object({ label: s.string().min(1) }))
    .min(2)
    .max(5)
    .refine((options) => new Set(options.map(({ label }) => label.trim())).size === options.length, "must be distinct"),
  multi: s.boolean().optional(),
  recommended: s.number().optional(),
});
const input = s.object({
  questions: s
    .array(question)
    .min(1)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "must have different ids"),
});
type Input = s.Infer<typeof input>;

export interface AskOptions {
  /** Asks a person; undefined when nobody can be asked. */
  person: ((asked: QuestionDraft, signal: AbortSignal) => Promise<Answer | undefined>) | undefined;
  /** Returns the timeouts of a question; called for each call. */
  waits(): Pick<Asking, "timeoutMs" | "editorTimeoutMs" | "quiet">;
  /** Ends the turn, because the person does not want to answer. */
  stop(reason: string): void;
}

/** Makes the tool by which the model asks the person. */
export function ask({ person, waits, stop }: AskOptions): Tool<Input> {
  return {
    name: "ask",
    about,
    input,
    prepare({ questions }) {
      if (!person) return refusal(texts.nobody);
      const posed = questions.map(posedOf);
      return {
        effect: "read",
        paths: [],
        async run({ id, signal }): Promise<Outcome> {
          const asking: Asking = { ...waits(), about: id, ask: (asked) => person(asked, signal) };
          const { askAll } = await import("./series.ts");
          const answers = await askAll(posed, asking);
          if (signal.aborted) return refusal(texts.interrupted);
          if (answers === "cancelled") {
            stop("The question was not answered.");
            return refusal(texts.cancelled);
          }
          return outcomeOf(posed, answers);
        },
      };
    },
  };
}

const texts = {
  cancelled: "The user closed the question without an answer.",
  interrupted: "The turn was interrupted before the question was answered.",
  nobody:
    "Nobody can be asked here: this run has no person at a terminal. Decide yourself, and say what you have assumed.",
};

function posedOf({ id, question, options, multi, recommended }: Input["questions"][number]): AskedQuestion {
  const labels = options.map(({ label }) => label.trim());
  const advised = recommended !== undefined && labels[recommended] !== undefined ? recommended : undefined;
  return {
    id,
    question,
    labels,
    multi: multi === true,
    recommended: advised,
    note:
      recommended !== undefined && advised === undefined
        ? `recommended of ${id} was ignored: its ${labels.length} options have no index ${recommended}.`
        : undefined,
  };
}

function outcomeOf(posed: readonly AskedQuestion[], answers: readonly QuestionAnswer[]): Outcome {
  const results = posed.map((asked, at) => ({ id: asked.id, ...answered(asked, answers[at]) }));
  const [first] = results;
  const notes = posed.flatMap(({ note }) => note ?? []);
  const meta = notes.length > 0 ? { notes } : undefined;
  if (first && results.length === 1) {
    const { id: _, ...flat } = first;
    return { kind: "ask", data: flat, text: saidIn(first, answers[0]).join("\n"), ...(meta && { meta }) };
  }
  const lines = results.map((result, at) => `${result.id}: ${saidIn(result, answers[at]).join("; ")}`);
  return { kind: "ask", data: { results }, text: ["User answers:", ...lines].join("\n"), ...(meta && { meta }) };
}

function answered({ question, labels, multi }: AskedQuestion, said: QuestionAnswer | undefined): AnsweredQuestion {
  const selectedOptions = (said?.chosen ?? []).flatMap((at) => labels[at] ?? []);
  return {
    question,
    options: [...labels],
    multi,
    selectedOptions,
    ...(said?.words === undefined ? {} : { customInput: said.words }),
  };
}

function saidIn({ selectedOptions, customInput }: AnsweredQuestion, said: QuestionAnswer | undefined): string[] {
  const by = said?.by === "time" ? " (nobody answered in time, so this was taken)" : "";
  return [
    ...(selectedOptions.length > 0 ? [`User selected: ${selectedOptions.join(", ")}${by}`] : []),
    ...(customInput === undefined ? [] : [`User provided custom input: ${customInput}`]),
    ...(selectedOptions.length === 0 && customInput === undefined ? ["User selected none of the options"] : []),
  ];
}
