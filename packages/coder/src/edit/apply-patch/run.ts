import { type FileDone, type Look, place } from "../draft/place.ts";
import { type Mark, type PatchEditing, type PatchPlan, planHunks, type Stop } from "./plan.ts";

export interface PatchDone {
  files: FileDone[];
  /** In the order of the patch. */
  marks: Mark[];
  notes: string[];
}

/** The end of a patch that could not be made as a whole, with the hunks that were made before. */
export type PatchFailure = PatchDone & Stop;

export interface PatchWatch {
  look?: Look | undefined;
  /** Called after each hunk that was made. */
  progress?(done: PatchDone): void;
}

/** Plans a patch and makes it at once. */
export const runPatch = (editing: PatchEditing, input: string): Promise<PatchDone | PatchFailure> =>
  placePatch(editing, planHunks(editing, input));

export const placePatch = (
  editing: PatchEditing,
  plan: PatchPlan,
  watch: PatchWatch = {},
): Promise<PatchDone | PatchFailure> => (editing.apply === "each" ? placeEach : placeTogether)(editing, plan, watch);

/** The output of the program when all went well. */
export function summary({ marks }: PatchDone): string {
  const sorted = marks.toSorted((a, b) => "AMD".indexOf(a.sign) - "AMD".indexOf(b.sign));
  return ["Success. Updated the following files:", ...sorted.map(rowOf)].join("\n");
}

const rowOf = ({ sign, path }: Mark): string => `${sign} ${path}`;

/** Tells of the hunks of a patch that stopped half-way. */
export function aftermath({ marks, skipped }: PatchFailure): string[] {
  const made = marks.length > 0 ? ["Applied before the failure:", ...marks.map(rowOf)] : ["Nothing was applied."];
  return [...made, ...(skipped.length > 0 ? ["Not tried:", ...skipped] : [])];
}

async function placeEach(
  editing: PatchEditing,
  { hunks, paths, stop }: PatchPlan,
  { look, progress }: PatchWatch,
): Promise<PatchDone | PatchFailure> {
  const done: PatchDone = { files: [], marks: [], notes: [] };
  for (const [i, { drafts, mark, notes }] of hunks.entries()) {
    for (const { draft, failure } of drafts) {
      const made = await place(editing, [draft], look);
      if (!made.ok) return { ...done, kind: "apply", message: failure(made.kind), skipped: paths.slice(i + 1) };
      done.files.push(...made.value);
    }
    done.marks.push(mark);
    done.notes.push(...notes);
    progress?.(done);
  }
  return stop ? { ...done, ...stop } : done;
}

async function placeTogether(
  editing: PatchEditing,
  { hunks, settled, paths, stop }: PatchPlan,
  { look }: PatchWatch,
): Promise<PatchDone | PatchFailure> {
  const nothing = (why: Stop): PatchFailure => ({ files: [], marks: [], notes: [], ...why });
  if (settled.length === 0 && stop) return nothing(stop);
  const made = await place(editing, settled, look);
  if (!made.ok) return nothing({ kind: "apply", message: made.message, skipped: paths });
  const marks = hunks.map(({ mark }) => mark);
  const done = { files: made.value, marks, notes: hunks.flatMap(({ notes }) => notes) };
  return stop ? { ...done, ...stop } : done;
}
