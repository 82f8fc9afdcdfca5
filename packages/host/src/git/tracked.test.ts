import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, lstatSync, renameSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { type Scratch, scratch } from "@pith/kit/test";
import { need } from "../../../../test/need.ts";
import { repositoryOf } from "./repository.ts";
import { TrackedFiles } from "./tracked.ts";

const withGit = test.skipIf(need("git") !== undefined);
let dir: Scratch;
beforeEach(() => {
  dir = scratch();
  dir.write({ "p/a": "one\n", "p/d/b": "two\n", "p/d/ä": "three\n" });
  symlinkSync("a", dir.at("p/link"));
  // Older than the index, which otherwise says nothing about them.
  for (const name of ["a", "d/b", "d/ä"]) utimesSync(dir.at("p", name), 1000, 1000);
  git("init", "-q");
  git("add", "-A");
});
afterEach(() => dir[Symbol.dispose]());
const git = (...argv: string[]): string => {
  const env = { PATH: process.env.PATH ?? "", HOME: dir.path, GIT_CONFIG_NOSYSTEM: "1" };
  const ran = Bun.spawnSync(["git", ...argv], { cwd: dir.at("p"), env });
  if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
  return ran.stdout.toString();
};
function tracked(attributes: string[] = [], env: Record<string, string> = {}): TrackedFiles {
  const repository = repositoryOf(dir.at("p"));
  const files =
    repository && TrackedFiles.open(repository, { root: dir.at("p"), env: { HOME: dir.path, ...env }, attributes });
  if (!files) throw new Error("no index");
  return files;
}
function idOf(path: string, files = tracked()): string | undefined {
  const stat = lstatSync(dir.at("p", path));
  const is = stat.isSymbolicLink() ? "link" : "file";
  return files.idOf(path, { is, size: stat.size, ino: stat.ino, mtime: stat.mtimeMs, ctime: stat.ctimeMs });
}
const hash = (path: string) => git("hash-object", path).trim();
/** Has git note all times anew, a second later than they are. */
function settle(): void {
  git("update-index", "--refresh", "-q");
  utimesSync(dir.at("p/.git/index"), Date.now() / 1000 + 10, Date.now() / 1000 + 10);
}

withGit("the id of a file that is as git noted it is told, in all versions of the index", () => {
  for (const version of ["2", "3", "4"]) {
    git("update-index", "--index-version", version);
    settle();
    expect([idOf("a"), idOf("d/b"), idOf("d/ä")]).toEqual([hash("a"), hash("d/b"), hash("d/ä")]);
  }
  expect(idOf("link")).toBe(git("rev-parse", ":link").trim());
});

withGit("of a file that has changed, or may have, no id is told", () => {
  settle();
  const [id, known] = [hash("a"), idOf("a")];
  writeFileSync(dir.at("p/a"), "new\n");
  utimesSync(dir.at("p/a"), 1000, 1000);
  expect([known, idOf("a")]).toEqual([id, undefined]);
  // Another file under the name, of the same size and time.
  writeFileSync(dir.at("p/other"), "two\n");
  utimesSync(dir.at("p/other"), 1000, 1000);
  renameSync(dir.at("p/other"), dir.at("p/d/b"));
  expect(idOf("d/b")).toBeUndefined();
  chmodSync(dir.at("p/d/ä"), 0o600);
  expect(idOf("d/ä")).toBeUndefined();
  unlinkSync(dir.at("p/link"));
  writeFileSync(dir.at("p/link"), "a");
  expect(idOf("link")).toBeUndefined();
});

withGit("of a file that was written in the second of the index no id is told", () => {
  settle();
  const { mtimeMs } = lstatSync(dir.at("p/link"));
  utimesSync(dir.at("p/.git/index"), mtimeMs / 1000, mtimeMs / 1000);
  expect([idOf("link"), idOf("a")]).toEqual([undefined, hash("a")]);
});

withGit("of files that git was told not to look at, and of those of an unfinished merge, no id is told", () => {
  git("update-index", "--assume-unchanged", "a");
  git("update-index", "--skip-worktree", "d/b");
  settle();
  expect([idOf("a"), idOf("d/b"), idOf("d/ä")]).toEqual([undefined, undefined, hash("d/ä")]);
});

withGit("where git may store other bytes than those of a file, that is said", () => {
  expect(tracked().exact).toBe(true);
  expect(tracked([], { GIT_CONFIG_COUNT: "1" }).exact).toBe(false);
  dir.write({ "p/x/.gitattributes": "*.png binary\n" });
  expect(tracked([dir.at("p/x/.gitattributes")]).exact).toBe(true);
  dir.write({ "p/x/.gitattributes": "*.txt text\n" });
  expect(tracked([dir.at("p/x/.gitattributes")]).exact).toBe(false);
  dir.write({ ".gitconfig": "[core]\n\tautocrlf = input\n" });
  expect(tracked().exact).toBe(false);
  dir.write({ ".gitconfig": '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n' });
  expect(tracked().exact).toBe(true);
  git("config", "core.autocrlf", "true");
  expect(tracked().exact).toBe(false);
});
