// Everything that git would accept as its own directory is protected, however it is disguised: writing there makes git
// run programs.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { touch } from "../../packages/agent/src/index.ts";
import { effectOf } from "../../packages/coder/src/policy/approval.ts";
import { need } from "../need.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

const withGit = test.skipIf(need("git") !== undefined);

const env = { PATH: process.env.PATH ?? "", HOME: "/nobody", GIT_CONFIG_NOSYSTEM: "1" };
const git = (dir: Scratch, ...argv: string[]) => run(["git", ...argv], { cwd: dir.path, env });
const writing = (path: string) => effectOf({ effect: "write", paths: [touch("write", path)] });

/** A repository's directory that is no `.git`, with a hook. */
async function bare(dir: Scratch): Promise<void> {
  expect(await git(dir, "init", "-q", "--bare", "b.git")).toMatchObject({ code: 0 });
  dir.write({ "b.git/hooks/pre-commit": `#!/bin/sh\ntouch ${dir.at("ran")}\n` });
  chmodSync(dir.at("b.git/hooks/pre-commit"), 0o755);
}

withGit("a repository whose HEAD is a link that leads nowhere is one", async () => {
  using dir = scratch();
  await bare(dir);
  await run(["rm", "b.git/HEAD"], { cwd: dir.path, env });
  symlinkSync("refs/heads/none", dir.at("b.git/HEAD"));
  await git(dir, "-C", "b.git", "hook", "run", "pre-commit");
  expect(existsSync(dir.at("ran"))).toBe(true);
  expect(writing(dir.at("b.git/hooks/pre-commit"))).toBe("exec");
  expect(writing(dir.at("b.git/config"))).toBe("exec");
});

withGit.each(["a file", "a folder", "a link", "a pointer"])(
  "%s called .git hides no repository above it",
  async (what) => {
    using dir = scratch();
    await bare(dir);
    const hidden = dir.at("b.git/hooks/.git");
    if (what === "a file") dir.write({ "b.git/hooks/.git": "" });
    else if (what === "a folder") mkdirSync(hidden);
    else if (what === "a link") symlinkSync("nowhere", hidden);
    else dir.write({ "b.git/hooks/.git": "gitdir: ../worktrees/x", "b.git/worktrees/x/commondir": "../..\n" });
    await git(dir, "-C", "b.git", "hook", "run", "pre-commit");
    expect(existsSync(dir.at("ran"))).toBe(true);
    expect(writing(dir.at("b.git/hooks/pre-commit"))).toBe("exec");
  },
);

withGit("a work tree that git itself made in the directory of a repository is only written", async () => {
  using dir = scratch();
  await bare(dir);
  const made = await git(dir, "-C", "b.git", "worktree", "add", "--orphan", "-b", "main", "tree");
  if (made.code !== 0) return;
  expect(writing(dir.at("b.git/tree/src/a.txt"))).toBe("write");
  expect(writing(dir.at("b.git/tree/.git"))).toBe("exec");
  expect(writing(dir.at("b.git/worktrees/tree/gitdir"))).toBe("exec");
});
