// A repository's ignore file that is no file tells nothing of where it leads, and holds nobody up.
import { afterAll, expect, test } from "bun:test";
import { rmSync, symlinkSync } from "node:fs";
import { openFiles } from "../../packages/coder/src/files/files.ts";
import { run, scratch } from "../scratch.ts";

const dir = scratch(afterAll);
const { signal } = new AbortController();
const work = dir.at("work");
const files = openFiles({ cwd: work, userHome: "/nobody", cacheDir: work, path: process.env.PATH });
const asked = { timeoutMs: 20_000, signal, max: 99 };

const lookers: Record<string, (root: string) => Promise<string[]>> = {
  async find(root) {
    const listed = await files.list({ ...asked, root });
    return listed.ok ? listed.value.paths : [];
  },
  async search(root) {
    const found = await files.search({ ...asked, root, pattern: "f" });
    return found.ok ? found.value.files.map(({ path }) => path) : [];
  },
  async ast_grep(root) {
    const listed = await files.sources({ ...asked, root });
    return listed.ok ? listed.value.paths.map((path) => path.slice(root.length + 1)) : [];
  },
};

for (const name of [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"])
  for (const what of ["link", "pipe"])
    test.each(Object.keys(lookers))(`${name} that is a ${what} decides nothing for %s`, async (tool) => {
      rmSync(work, { recursive: true, force: true });
      dir.write({
        "out/secret": "hunter2.js\n",
        "work/.git/HEAD": "ref: refs/heads/main\n",
        "work/.git/objects/.keep": "",
        "work/.git/refs/.keep": "",
        "work/.git/info/.keep": "",
        "work/sub/.gitignore": "left-out.js\n",
        "work/sub/hunter2.js": "f()\n",
        "work/sub/left-out.js": "f()\n",
      });
      if (what === "link") symlinkSync(dir.at("out/secret"), dir.at("work", name));
      else expect(await run(["mkfifo", dir.at("work", name)], { cwd: work, env: {} })).toMatchObject({ code: 0 });
      const began = performance.now();
      for (const root of ["work", "work/sub"]) {
        const seen = (await lookers[tool]?.(dir.at(root))) ?? [];
        expect(seen.filter((path) => path.includes("hunter2"))).toHaveLength(1);
        expect(seen.filter((path) => path.includes("left-out"))).toEqual([]);
      }
      expect(performance.now() - began).toBeLessThan(4000);
    });
