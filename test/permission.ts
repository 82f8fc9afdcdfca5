import { expect, test } from "bun:test";
import { need, root } from "./need.ts";

/**
 * A `test` whose body meets the permissions of files, also where root runs it: then it is played again in a process
 * that has no capability to pass over them. `file` is the file it stands in.
 */
export function underPermissions(file: string): (name: string, body: () => void | Promise<void>) => void {
  if (process.getuid?.() !== 0 || process.env.PITH_PERMITTED === "no") return test;
  if (need("setpriv") !== undefined) return test.skip;
  return (name) =>
    test(name, async () => {
      const only = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const plain = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", process.execPath, "test", file, "-t", only];
      const env = { ...process.env, PITH_PERMITTED: "no" };
      const child = Bun.spawn(plain, { env, cwd: root, stdout: "ignore", stderr: "pipe" });
      const said = await new Response(child.stderr).text();
      expect(said).toMatch(/^ 1 pass$/m);
      expect(await child.exited).toBe(0);
    });
}
