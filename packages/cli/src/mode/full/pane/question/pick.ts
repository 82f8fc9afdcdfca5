import type { Answer, Question } from "@pith/agent";

/** The option or hunk that is pointed at, and those that are ticked. */
export interface Picked {
  at: number;
  readonly ticked: Set<string>;
}

export const nothingPicked = (question: Question): Picked => {
  // An earlier choice counts more than the recommendation.
  const best = question.chosen?.[0] ?? question.recommended;
  const at = (question.options ?? []).findIndex(({ id }) => id === best);
  return { at: Math.max(0, at), ticked: new Set(question.chosen ?? []) };
};

export function toggle({ ticked }: Picked, name: string): void {
  if (!ticked.delete(name)) ticked.add(name);
}

/** The chosen answer: the option that is pointed at, or all that are ticked, in the order of the ticks. */
export function chosenAnswer({ options = [], multi }: Question, picked: Picked): Answer | undefined {
  const option = options[picked.at];
  if (multi && picked.ticked.size > 0) return { say: "yes", choices: [...picked.ticked] };
  return option && { say: "yes", option: option.id };
}
