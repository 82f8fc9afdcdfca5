import { resolve } from "node:path";
import { fail, isInside, ok, type Result, realPath } from "@pith/kit";
import type { PatchEditing } from "./plan.ts";

export interface PatchOptions {
  cwd: string;
  apply: "each" | "all";
  finalNewline: "add" | "keep";
  /** With "inside", paths outside of the working directory are refused. */
  where: "inside" | "anywhere";
}

/** Applies a patch the way the standalone program does, and gives its summary; loaded when it is first used. */
export async function applyPatch(
  input: string,
  { cwd, where, ...how }: PatchOptions,
): Promise<Result<{ text: string; notes: string[] }, "parse" | "apply">> {
  const [{ openFiles }, { aftermath, runPatch, summary }, { Snapshots }] = await Promise.all([
    import("../../files/files.ts"),
    import("./run.ts"),
    import("../../snapshot/snapshot.ts"),
  ]);
  const root = realPath(cwd);
  const deny = (path: string) =>
    where === "anywhere" || isInside(root, realPath(path)) ? undefined : `${path} is outside of ${cwd}`;
  const files = openFiles({ cwd, userHome: cwd, cacheDir: cwd, path: undefined });
  const editing: PatchEditing = {
    files,
    resolve: (name) => resolve(cwd, name),
    snapshots: new Snapshots(undefined),
    generated: "allow",
    deny,
    ...how,
  };
  const done = await runPatch(editing, input);
  if (!("message" in done)) return ok({ text: summary(done), notes: done.notes });
  const touched = done.kind === "apply" && done.marks.length + done.skipped.length > 0;
  return fail(done.kind, [done.message, ...(touched ? aftermath(done) : [])].join("\n"));
}
