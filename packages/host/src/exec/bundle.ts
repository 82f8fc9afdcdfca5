// Runs while the program is bundled (or loaded from its sources), not inside it.
import { join } from "node:path";
import { spawnSync } from "./platform.ts";

/** A program of this package with all it needs, as one text that `runScript` takes. */
export function bundle(name: string): string {
  const entry = join(import.meta.dirname, "..", name);
  const { exitCode, stdout, stderr } = spawnSync([process.execPath, "build", entry, "--target=bun", "--minify"], {
    env: { ...process.env, BUN_BE_BUN: "1" },
  });
  if (exitCode !== 0) throw new Error(`${entry} cannot be bundled: ${stderr}`);
  return stdout.toString();
}
