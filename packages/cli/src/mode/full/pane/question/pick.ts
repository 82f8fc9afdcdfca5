import type { Answer, Question } from "@pith/agent";

/** What somebody points at and has ticked, of the options of a question or the hunks of an edit. */
export interface Picked {
  at: number;
  readonly ticked: Set<string>;
}

export const nothingPicked = (question: Question): Picked => {
  const best = (question.options ?? []).findIndex(({ id }) => id === question.recommended);
  return { at: Math.max(0, best), ticked: new Set(question.chosen ?? []) };
};

export function toggle({ ticked }: Picked, name: string): void {
  if (!ticked.delete(name)) ticked.add(name);
}

/** A choice as it stands: the option that is pointed at, or all that are ticked. */
export function chosenAnswer({ options = [], multi }: Question, picked: Picked): Answer | undefined {
  const option = options[picked.at];
  const choices = options.flatMap(({ id }) => (picked.ticked.has(id) ? [id] : []));
  if (multi && choices.length > 0) return { say: "yes", choices };
  return option && { say: "yes", option: option.id };
}
