import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { branchOf } from "./branch.ts";

test("the branch is read from git's files, also in a work tree of its own; nothing is started", () => {
  using dir = scratch();
  dir.write({
    "a/.git/HEAD": "ref: refs/heads/feature/x\n",
    "a/below/file": "",
    "b/.git": "gitdir: ../a/.git/worktrees/b\n",
    "a/.git/worktrees/b/HEAD": "0123456789abcdef0123456789abcdef01234567\n",
    "c/.git/HEAD": "ref: elsewhere",
  });
  expect(branchOf(dir.at("a/below"))).toBe("feature/x");
  expect(branchOf(dir.at("b"))).toBe("0123456");
  expect(branchOf(dir.at("c"))).toBeUndefined();
});

test("what is no name of a branch is not shown as one", () => {
  using dir = scratch();
  dir.write({ "a/.git/HEAD": "ref: refs/heads/.invalid\n", "b/.git/HEAD": "ref: refs/heads/x\u001b[2J\u202ey\n" });
  expect([branchOf(dir.at("a")), branchOf(dir.at("b"))]).toEqual([undefined, undefined]);
});
