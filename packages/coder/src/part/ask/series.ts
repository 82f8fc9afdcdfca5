import type { Answer, Option, QuestionDraft } from "@pith/agent";
import { defined } from "@pith/kit";

/** A question as it is asked. */
export interface AskedQuestion {
  id: string;
  question: string;
  labels: readonly string[];
  multi: boolean;
  recommended: number | undefined;
  /** Tells the model about an argument that was ignored. */
  note: string | undefined;
}

/** An answer: indices of options in the order of choosing, and typed words. */
export interface QuestionAnswer {
  chosen: readonly number[];
  words?: string | undefined;
  /** Set when the time was over before a person answered. */
  by?: "time";
}

export interface Asking {
  about: string;
  ask(asked: QuestionDraft): Promise<Answer | undefined>;
  timeoutMs: number | undefined;
  /** The timeout while words are typed. */
  editorTimeoutMs: number | undefined;
  quiet: boolean;
}

/** The option after those of the model. */
const other: Option = { id: "other", label: "Other (type your own)" };

type Step =
  | { do: "answer"; said: QuestionAnswer }
  | { do: "go"; to: "back" | "on"; said: QuestionAnswer }
  | { do: "cancel" };

/** Asks the questions one after the other until all are answered. A person may go back and forth; answers stay. */
export async function askAll(posed: readonly AskedQuestion[], asking: Asking): Promise<QuestionAnswer[] | "cancelled"> {
  const said = new Map<number, QuestionAnswer>();
  const answered = new Set<number>();
  const openFrom = (from: number) =>
    [...posed.keys()].map((at) => (at + from) % posed.length).find((at) => !answered.has(at));
  let next: number | undefined = 0;
  while (next !== undefined) {
    const at: number = next;
    const step = await askOne(posed[at] as AskedQuestion, said.get(at), { at, of: posed.length }, asking);
    if (step.do === "cancel") return "cancelled";
    said.set(at, step.said);
    const some = step.said.chosen.length > 0 || step.said.words !== undefined;
    // Going on decides a question, going back does not.
    if (step.do === "answer" || (step.to === "on" && some)) answered.add(at);
    if (step.do === "answer") next = openFrom(at + 1);
    else if (step.to === "back") next = Math.max(0, at - 1);
    else next = at + 1 < posed.length ? at + 1 : openFrom(0);
  }
  return posed.map((_, index) => said.get(index) ?? { chosen: [] });
}

async function askOne(
  posed: AskedQuestion,
  before: QuestionAnswer | undefined,
  series: { at: number; of: number },
  asking: Asking,
): Promise<Step> {
  const { question, labels, multi, recommended } = posed;
  const answer = await asking.ask({
    about: asking.about,
    form: "choose",
    text: question,
    options: [...labels.map((label, at) => ({ id: String(at + 1), label })), other],
    timeoutMs: asking.timeoutMs,
    ...defined({
      multi: multi || undefined,
      recommended: recommended === undefined ? undefined : String(recommended + 1),
      chosen: before && chosenBefore(before),
      series: series.of > 1 ? series : undefined,
      quiet: asking.quiet || undefined,
    }),
  });
  if (!answer || answer.by === "interrupt" || answer.by === "nobody") return { do: "cancel" };
  if (answer.by === "timeout") return { do: "answer", said: { chosen: [recommended ?? 0], by: "time" } };
  const ids = [...(answer.option === undefined ? [] : [answer.option]), ...(answer.choices ?? [])];
  const chosen = [...new Set(ids)].flatMap((id) => (labels[Number(id) - 1] === undefined ? [] : [Number(id) - 1]));
  const some = multi ? chosen : chosen.slice(0, 1);
  const words = answer.words?.trim() || undefined;
  if (answer.go) return { do: "go", to: answer.go, said: { chosen: some, words: words ?? before?.words } };
  if (words !== undefined) return { do: "answer", said: { chosen: multi ? some : [], words } };
  if (answer.say === "no") return { do: "cancel" };
  if (ids.includes(other.id)) return typed(posed, multi ? some : [], before, series, asking);
  return { do: "answer", said: { chosen: some } };
}

/** Asks for typed words; a person who takes that back chooses again. */
async function typed(
  posed: AskedQuestion,
  chosen: readonly number[],
  before: QuestionAnswer | undefined,
  series: { at: number; of: number },
  asking: Asking,
): Promise<Step> {
  const answer = await asking.ask({
    about: asking.about,
    form: "text",
    text: posed.question,
    timeoutMs: asking.editorTimeoutMs,
    ...(asking.quiet ? { quiet: true as const } : {}),
  });
  if (!answer || answer.by === "interrupt" || answer.by === "nobody") return { do: "cancel" };
  const words = answer.words?.trim() || undefined;
  if (words !== undefined) return { do: "answer", said: { chosen, words } };
  if (answer.by === "timeout")
    return { do: "answer", said: { chosen: chosen.length > 0 ? chosen : [posed.recommended ?? 0], by: "time" } };
  return askOne(posed, { chosen, words: before?.words }, series, asking);
}

const chosenBefore = ({ chosen, words }: QuestionAnswer): string[] => [
  ...chosen.map((at) => String(at + 1)),
  ...(words === undefined ? [] : [other.id]),
];
