import type { Answer, Question } from "@pith/agent";

/** A way to answer a question. */
export interface Way {
  label: string;
  about?: string | undefined;
  /** The letter that is a shortcut for it. */
  key?: string;
  /** `words`: a no whose reason is typed. */
  answer: Answer | "words";
}

/** The ways to answer a question, in the order of its list; none for a question for words. */
export function waysOf({ form, scope, options = [] }: Question): Way[] {
  if (form === "line" || form === "text") return [];
  const others = options.map(({ id, label, about }): Way => ({ label, about, answer: { say: "yes", option: id } }));
  if (form === "choose") return others;
  const yes: Way = { label: "Yes", key: "y", answer: { say: "yes" } };
  const no: Way = { label: "No", key: "n", answer: { say: "no" } };
  if (form === "confirm") return [yes, no];
  const longer = (["session", "project"] as const).map(
    (holds): Way => ({ label: `Yes, in this ${holds}: ${scope}`, key: holds[0] ?? "", answer: { say: "yes", holds } }),
  );
  return [yes, ...(scope === undefined ? [] : longer), ...others, no];
}

/** The same for a person, who may say why not. */
export const waysForPerson = (question: Question): Way[] => [
  ...waysOf(question),
  ...(question.form === "approval" ? [{ label: "No, and say why", key: "r", answer: "words" } as const] : []),
];
