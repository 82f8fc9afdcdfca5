import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fail, isInside, ok, type Result } from "@pith/kit";
import type { Script } from "@pith/llm";

/** A scripted model, and the directory it plays in if it brings a project. */
export interface Staged {
  model: string;
  /** Source of the script: pith itself, or a file. */
  from: "pith" | "file";
  stage: Stage | undefined;
}
export type Stage = Disposable & { dir: string };

export const isScripted = (model: string): boolean => model.startsWith("faux/") || /\.(ya?ml|json)$/i.test(model);

/** Loads the script of a scripted model and lays out its project. */
export async function setStage(model: string, cwd: string): Promise<Result<Staged, "usage">> {
  const { isScriptFile, loadScript } = await import("@pith/llm/faux");
  const word = model.replace(/^faux\//, "");
  const from = isScriptFile(word) ? "file" : "pith";
  const name = from === "file" ? resolve(cwd, word) : word;
  const script = await loadScript(name);
  if (!script.ok) return fail("usage", script.message);
  const stage = script.value.project && (await layOut(script.value.project));
  if (stage && !stage.ok) return stage;
  return ok({ model: `faux/${name}`, from, stage: stage?.value });
}

/**
 * Lays a project out in a directory of its own. Disposing it removes the directory; so does any end of the process but
 * a kill -9.
 */
export async function layOut(project: NonNullable<Script["project"]>): Promise<Result<Stage, "usage">> {
  const { mkdir, mkdtemp, writeFile } = await import("node:fs/promises");
  const dir = await mkdtemp(join(tmpdir(), "pith-stage-"));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  process.once("exit", remove);
  const dispose = () => {
    process.removeListener("exit", remove);
    remove();
  };
  for (const [name, text] of Object.entries(project.files)) {
    const path = join(dir, name);
    if (!isInside(dir, path) || path === dir) {
      dispose();
      return fail("usage", `the script's project may not hold the file ${JSON.stringify(name)}: it lies outside`);
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: project.executable?.includes(name) ? 0o755 : 0o644 });
  }
  return ok({ dir, [Symbol.dispose]: dispose });
}
