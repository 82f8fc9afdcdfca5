import type { FileChange, Question } from "@pith/agent";
import { waysForPerson } from "../../../../view/question/way.ts";

/** The answer that is pointed at, and the options or hunks that are ticked. */
export interface Picked {
  /** Below 0 it is a hunk, counted from the last one. */
  at: number;
  readonly ticked: Set<string>;
}

export const nothingPicked = (question: Question): Picked => {
  // An earlier choice counts more than the recommendation.
  const best = question.chosen?.[0] ?? question.recommended;
  const at = waysForPerson(question).findIndex(({ answer }) => answer !== "words" && answer.option === best);
  return { at: best === undefined ? 0 : Math.max(0, at), ticked: new Set(question.chosen ?? []) };
};

export function toggle({ ticked }: Picked, name: string): void {
  if (!ticked.delete(name)) ticked.add(name);
}

/** A hunk of an edit, with the name by which an answer refuses it. */
export interface EditHunk {
  name: string;
  title: string;
  path: string;
  patch: string;
}

/** Names hunks by their file and their number in its diff. */
export function hunksOf(changes: readonly FileChange[]): EditHunk[] {
  return changes.flatMap(({ path, change, patch }) => {
    const parts = patch.split(/^(?=@@ )/m);
    const hunks = parts.filter((part) => part.startsWith("@@ "));
    const title = `${change} ${path}`;
    if (hunks.length === 0) return [{ name: `${path}:1`, title, path, patch }];
    return hunks.map((hunk, at) => ({ name: `${path}:${at + 1}`, title, path, patch: hunk }));
  });
}
