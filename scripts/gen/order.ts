import { join } from "node:path";
import { openLab } from "../../bench/lab.ts";
import type { Scene } from "../../bench/mock.ts";
import { argsFor } from "../../bench/turn.ts";

/**
 * Runs the binary in its most common ways and records the code that each run uses, as one file each. A build that gets
 * these files puts that code together, so that a start reads less of the binary and holds less of it in memory.
 */
export async function ordersOf(binary: string, folder: string): Promise<string[]> {
  await using lab = await openLab(binary);
  const path = join(lab.project, "src", "file-{n}.ts");
  const calls = (tool: string, input: Record<string, string>): Scene => ({ play: "calls", turns: 2, tool, input });
  const scenes: Record<string, Scene> = {
    answer: { play: "words", count: 3 },
    bash: calls("bash", { command: "echo {n}" }),
    read: calls("read", { path }),
    edit: calls("edit", { path, diff: "@@ -99,0 +100,1 @@\n+export const extra = 1;\n" }),
  };
  const files: string[] = [];
  for (const [name, scene] of Object.entries(scenes)) {
    const file = join(folder, name);
    await lab.start("pith", argsFor("pith", "do it"), scene, { BUN_BYTECODE_ORDER_OUT: file });
    files.push(file);
  }
  return files;
}
