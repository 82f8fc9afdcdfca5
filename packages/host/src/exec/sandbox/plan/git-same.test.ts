import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Scratch, scratch } from "@pith/kit/test";
import { need } from "../../../../../../test/need.ts";
import { sandboxed } from "../../../test/sandboxed.ts";

const lacking = need("bwrap") !== undefined || need("git") !== undefined;

const lfsFilter =
  '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n';

/** Makes a repository in `work` by a script; `$O` is another repository that it may be cloned from. */
function made(dir: Scratch, script: string): void {
  dir.write({ "home/.gitconfig": `[user]\n\tname = a\n\temail = a@b\n[init]\n\tdefaultBranch = main\n${lfsFilter}` });
  dir.write({ "origin/a.txt": "a\n", "origin/src/b.txt": "b\n", "origin/big/c.txt": "c\n" });
  const origin =
    "git -C $O init -q; git -C $O config uploadpack.allowFilter true; git -C $O add .; git -C $O commit -qm x";
  const env = { PATH: process.env.PATH, HOME: dir.at("home"), O: dir.at("origin"), W: dir.at("work") };
  const run = Bun.spawnSync(["bash", "-ec", `${origin}\n${script}`], { cwd: dir.path, env });
  expect([run.exitCode, run.stderr.toString()]).toEqual([0, ""]);
}

const changed = "echo more >> a.txt; echo new > new.txt; git add a.txt";
const cases: Record<string, string> = {
  ordinary: `git clone -q $O $W; cd $W; ${changed}`,
  LFS: `git init -q $W; cd $W; echo '*.bin filter=lfs diff=lfs merge=lfs -text' > .gitattributes
head -c 20000 /dev/urandom > x.bin; echo one > a.txt; git add .; git commit -qm x; touch x.bin
git lfs install --local >/dev/null
${changed}; head -c 20000 /dev/urandom > y.bin; git add y.bin; git commit -qm y
echo z >> y.bin; touch x.bin; echo again >> a.txt`,
  husky: `git clone -q $O $W; cd $W; mkdir -p .husky/_; printf 'echo hook\\n' > .husky/pre-commit
printf '#!/bin/sh\\n. ./.husky/pre-commit\\n' > .husky/_/pre-commit; chmod +x .husky/_/pre-commit
echo '*' > .husky/_/.gitignore; git config core.hooksPath .husky/_; ${changed}`,
  "a partial clone": `git clone -q --filter=blob:none file://$O $W; cd $W; ${changed}; git mv src/b.txt src/d.txt`,
  "a sparse clone": `git clone -q --sparse --filter=blob:none file://$O $W; cd $W
git sparse-checkout set --cone src; ${changed}`,
  "a sparse index": `git clone -q $O $W; cd $W; git sparse-checkout set --cone --sparse-index src; ${changed}`,
  "a linked work tree": `git clone -q $O main; git -C main worktree add -q $W; cd $W; ${changed}`,
  submodules: `git clone -q $O $W; cd $W; git -c protocol.file.allow=always submodule --quiet add $O sub >/dev/null 2>&1
git commit -qm sub; echo more >> sub/a.txt; ${changed}`,
};

for (const [name, script] of Object.entries(cases))
  test.skipIf(lacking || (name === "LFS" && need("git-lfs") !== undefined))(
    `git says the same inside and outside of the sandbox: ${name}`,
    async () => {
      using dir = scratch();
      made(dir, script);
      // Both the home and what a clone comes from lie in a temporary folder, which commands have one of their own of.
      using here = sandboxed(dir.path, { readable: () => [join(dir.path, "home"), join(dir.path, "origin")] });
      const looks = "git status; git status --porcelain=v2; git diff --stat; git diff --cached --stat; git stash list";
      const env = { PATH: process.env.PATH, HOME: dir.at("home"), GIT_OPTIONAL_LOCKS: "0" };
      const outside = Bun.spawnSync(["bash", "-c", `${looks} 2>&1`], { cwd: dir.at("work"), env }).stdout.toString();
      expect(outside).toContain("a.txt");
      for (const [side, writes] of [
        ["inside", "project"],
        ["reading", "nothing"],
        ["reading", "layers"],
      ] as const)
        expect([side, writes, await here.run(`${looks} 2>&1`, { side, writes })]).toEqual([side, writes, outside]);
    },
  );
