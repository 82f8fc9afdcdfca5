import type { Answer, Question } from "@pith/agent";

/** What somebody points at and has ticked, of the options of a question or the hunks of an edit. */
export interface Picked {
  at: number;
  readonly ticked: Set<string>;
}

export const nothingPicked = (question: Question): Picked => {
  // What was said before comes before what is recommended.
  const best = question.chosen?.[0] ?? question.recommended;
  const at = (question.options ?? []).findIndex(({ id }) => id === best);
  return { at: Math.max(0, at), ticked: new Set(question.chosen ?? []) };
};

export function toggle({ ticked }: Picked, name: string): void {
  if (!ticked.delete(name)) ticked.add(name);
}

/** A choice as it stands: the option that is pointed at, or all that are ticked, in the order in which they were. */
export function chosenAnswer({ options = [], multi }: Question, picked: Picked): Answer | undefined {
  const option = options[picked.at];
  if (multi && picked.ticked.size > 0) return { say: "yes", choices: [...picked.ticked] };
  return option && { say: "yes", option: option.id };
}
