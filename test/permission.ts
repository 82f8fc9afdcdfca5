import { expect, test } from "bun:test";
import { need, root } from "./need.ts";

/**
 * A `test` whose body is bound by the permissions of files, even under root: then it runs again in a process without
 * the capabilities that override them. `file` is the test file.
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
      expect(await new Response(child.stderr).text()).toMatch(/^ 1 pass$/m);
      expect(await child.exited).toBe(0);
    });
}
