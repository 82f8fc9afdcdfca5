import { fail, ok, type Result } from "@pith/kit";
import { draftChanges, draftContent, draftRemoval, type Editing, openText } from "../../../edit/draft/file.ts";
import type { EditPlan } from "../../../edit/draft/intent.ts";
import { type Change, spliceText } from "../../../edit/text/change.ts";
import { planPatch } from "./patch.ts";
import { planReplace, type Replacement } from "./replace.ts";

/** An edit in a dialect that names a file and speaks of its text. */
export type Simple = { edits: readonly Replacement[] } | { diff: string };

export function planSimple(editing: Editing, path: string, edit: Simple): Result<EditPlan, "edit"> {
  const opened = openText(editing, editing.resolve(path));
  if (!opened.ok) return fail("edit", `${opened.message}. Nothing was changed.`);
  const file = opened.value;
  const text = file.base?.text;
  if (text === undefined && "edits" in edit)
    return fail("edit", `${file.name} does not exist. Use write to make a new file.`);
  const whole = (said: string) => editing.files.restore(text ?? "", said);
  const planned: Result<{ changes: Change[]; warnings: string[]; removes?: boolean }, "edit"> =
    "edits" in edit
      ? planReplace(
          file.name,
          text ?? "",
          edit.edits.map((one) => ({ ...one, oldText: whole(one.oldText), newText: whole(one.newText) })),
        )
      : planPatch(file.name, text, whole(edit.diff));
  if (!planned.ok) return planned;
  const { changes, warnings, removes } = planned.value;
  const after = spliceText(text ?? "", changes);
  if (after === text)
    return fail("edit", `The edit of ${file.name} changes nothing: the file already reads like this.`);
  if (removes && after !== "")
    return fail("edit", `The diff deletes ${file.name}, but lines of it would be left. Nothing was changed.`);
  const draft = removes
    ? ok(draftRemoval(file))
    : file.base
      ? draftChanges(file, changes)
      : ok(draftContent(file, after));
  return draft.ok ? ok({ drafts: [draft.value], warnings }) : draft;
}
