import { resolve } from "node:path";
import { type Intent, type Outcome, refusal } from "@pith/agent";
import type { PatchEditing } from "../../../edit/apply-patch/plan.ts";
import { shellPatch } from "../../../edit/apply-patch/shell.ts";
import type { ReportHow } from "../../../edit/draft/report.ts";
import type { Files } from "../../../files/files.ts";

/** Options for carrying out a command that only applies a patch. */
export interface PatchOptions extends ReportHow, Pick<PatchEditing, "snapshots"> {
  apply?: PatchEditing["apply"];
  finalNewline?: PatchEditing["finalNewline"];
  generated?: PatchEditing["generated"];
}

/** The write that a command is which only applies a patch; undefined for any other. */
export async function preparePatch(
  command: string,
  here: string,
  { files, patch: how, without }: { files: Files; patch: PatchOptions; without: readonly string[] },
): Promise<Intent | Outcome | undefined> {
  const applied = shellPatch(command, here);
  if (!applied) return undefined;
  const { cwd, patch } = applied;
  if (!files.stat(cwd)?.isDirectory()) return refusal(`There is no directory ${cwd}; nothing was applied.`);
  const { snapshots, apply = "each", finalNewline = "add", generated = "refuse", ...report } = how;
  const { patchIntent } = await import("../../../edit/apply-patch/intent.ts");
  // The program knows fewer ways to name a file than the tools do.
  const editing = { files, resolve: (name: string) => resolve(cwd, name), snapshots, apply, finalNewline, generated };
  return patchIntent(editing, patch, { ...report, without });
}
