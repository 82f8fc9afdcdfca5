import { resolve } from "node:path";
import { type Call, type Outcome, refusal } from "@pith/agent";
import { parsePatch, pathsOf } from "../../edit/apply-patch/parse.ts";
import type { PatchParts } from "../../edit/apply-patch/run.ts";
import { type ShellPatch, shellPatch } from "../../edit/apply-patch/shell.ts";
import type { ReportHow } from "../../edit/report.ts";
import { statOf } from "../../files/path.ts";

/** How a command that only applies a patch is carried out. */
export type PatchHow = Pick<PatchParts, "snapshots"> &
  Partial<Pick<PatchParts, "apply" | "finalNewline" | "generated">> &
  ReportHow;

/** Commands that only apply a patch. They are known by their input, so that what was allowed is what is done. */
export class Patches<I extends { command: string }> {
  readonly #seen = new WeakMap<I, ShellPatch>();
  readonly #how: PatchHow & { root: string; cwd(input: I): string };

  constructor(how: PatchHow & { root: string; cwd(input: I): string }) {
    this.#how = how;
  }

  /**
   * The files that a patch touches; of one that cannot be read, where it would have been applied. Undefined for any
   * other command.
   */
  paths(input: I): string[] | undefined {
    const own = this.#find(input);
    if (!own) return undefined;
    const parsed = parsePatch(own.patch);
    return parsed.ok ? pathsOf(parsed.value).map((path) => resolve(own.cwd, path)) : [own.cwd];
  }

  async run(input: I, call: Call): Promise<Outcome | undefined> {
    const own = this.#find(input);
    if (!own) return undefined;
    const { cwd, patch } = own;
    // A call before it in the same reply may have moved the shell after this one was allowed.
    if (this.#look(input)?.cwd !== cwd)
      return refusal(
        `The shell is no longer in ${cwd}, for which this patch was meant; nothing was applied. Send it again.`,
      );
    if (!statOf(cwd)?.isDirectory()) return refusal(`There is no directory ${cwd}; nothing was applied.`);
    const [{ patchOutcome }, { reporting }] = await Promise.all([
      import("../../edit/apply-patch/outcome.ts"),
      import("../../edit/report.ts"),
    ]);
    const { root, snapshots, apply = "each", finalNewline = "add", generated = "refuse" } = this.#how;
    const plain: PatchParts = {
      root,
      resolve: (given) => resolve(cwd, given),
      snapshots,
      generated,
      apply,
      finalNewline,
    };
    const { parts, tell } = await reporting(plain, this.#how);
    return patchOutcome(parts, patch, call, tell);
  }

  #find(input: I): ShellPatch | undefined {
    const own = this.#seen.get(input) ?? this.#look(input);
    if (own) this.#seen.set(input, own);
    return own;
  }

  #look(input: I): ShellPatch | undefined {
    return shellPatch(input.command, this.#how.cwd(input));
  }
}
