import type { Answer, Event, Question } from "@pith/agent";
import { fail, ok, type Result } from "@pith/kit";
import type { Dialog } from "../../wire/frame.ts";
import type { AnswerFields } from "../../wire/session-host.ts";
import { askRows } from "./ask.ts";
import { answerTo, howToReply } from "./reply.ts";
import { type Way, waysOf } from "./way.ts";

/** A question as a dialog of pi under the same id, for clients that know no other. */
export function dialogOf(question: Question): Dialog {
  const { id, form, text, body, timeoutMs, multi } = question;
  const head = { type: "extension_ui_request" as const, id, ...(timeoutMs !== undefined && { timeout: timeoutMs }) };
  const rows = askRows(form === "choose" && !multi ? { ...question, options: [] } : question);
  const title = [text, ...rows].join("\n");
  if (form === "approval" || (form === "choose" && !multi))
    return { ...head, method: "select", title, options: labelled(question).map(([label]) => label) };
  if (form === "confirm") return { ...head, method: "confirm", title: text, message: rows.join("\n") };
  if (form === "text") return { ...head, method: "editor", title: text, ...(body !== undefined && { prefill: body }) };
  return { ...head, method: "input", title: `${title}${howToReply(question)}` };
}

/** An event as a dialog of pi that nobody answers: a notice, a status, a panel. */
export function shownOf(event: Event, id: string): Dialog | undefined {
  const head = { type: "extension_ui_request" as const, id };
  if (event.type === "notice") {
    const { level, text } = event.notice;
    return { ...head, method: "notify", message: text, notifyType: level === "warn" ? "warning" : level };
  }
  if (event.type === "status") return { ...head, method: "setStatus", statusKey: event.key, statusText: event.text };
  if (event.type !== "panel") return undefined;
  const { key, panel } = event;
  const lines = panel && { widgetLines: panel.text.split("\n"), widgetPlacement: placements[panel.slot] };
  return { ...head, method: "setWidget", widgetKey: key, ...lines };
}
const placements = { above: "aboveEditor", below: "belowEditor" } as const;

/** The labels of the answers to a question; equal ones get numbers. */
function labelled(question: Question): (readonly [label: string, answer: Way["answer"]])[] {
  const seen = new Map<string, number>();
  return waysOf(question).map(({ label, answer }) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return [count === 1 ? label : `${label} (${count})`, answer];
  });
}

/** Reads the reply of a program as an answer to a question. */
export function answerIn(question: Question, said: AnswerFields): Result<Answer, "answer"> {
  if ("cancelled" in said) return ok({ say: "no" });
  if ("confirmed" in said)
    return question.form === "confirm" || question.form === "approval"
      ? ok({ say: said.confirmed ? "yes" : "no" })
      : fail("answer", "This question is not answered by yes or no.");
  return "value" in said ? chosen(question, said.value) : spoken(question, said);
}

function chosen(question: Question, value: string): Result<Answer, "answer"> {
  const { form, multi } = question;
  if (form === "line" || form === "text") return ok({ say: "yes", words: value });
  if (form === "choose" && multi) return heard(question, answerTo(question, value));
  const [, answer] = labelled(question).find(([label]) => label === value) ?? [];
  return answer && answer !== "words" ? ok(answer) : fail("answer", "That is none of the options.");
}

type Own = Extract<AnswerFields, { words?: string }>;

/** Reads an answer of pith's own form: `yes`, `no`, ids of options, or words. */
function spoken(question: Question, { option, words, holds }: Own): Result<Answer, "answer"> {
  const { form, scope, options = [], multi } = question;
  const more = { ...(words !== undefined && { words }), ...(holds !== undefined && { holds }) };
  if (holds !== undefined && holds !== "once" && scope === undefined)
    return fail("answer", "A yes to this question holds once.");
  const several = typeof option === "object" ? option : undefined;
  // Of an edit these are hunks to leave out.
  const isPart = form === "approval" && question.intent?.changes !== undefined;
  const wrong = isPart ? undefined : (several ?? []).find((wanted) => !options.some(({ id }) => id === wanted));
  if (wrong !== undefined || (several && !multi && form !== "approval"))
    return fail("answer", "That is none of the options.");
  if (several) return ok({ say: "yes", choices: several, ...more });
  const known = options.find(({ id, label }) => id === option || label === option);
  if (known) return ok({ say: "yes", option: known.id, ...more });
  if (option === "no") return ok({ say: "no", ...more });
  if (option === "yes" && form !== "choose") return ok({ say: "yes", ...more });
  if (option === undefined && words !== undefined && (form === "line" || form === "text"))
    return ok({ say: "yes", words });
  return fail("answer", option === undefined ? "Say which option it is." : "That is none of the options.");
}

const heard = (question: Question, answer: Answer): Result<Answer, "answer"> =>
  answer.say === "no" && answer.words !== undefined && !(question.options ?? []).some(({ id }) => id === "other")
    ? fail("answer", "That is none of the options.")
    : ok(answer);
