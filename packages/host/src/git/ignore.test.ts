import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Scratch, scratch } from "@pith/kit/test";
import fc from "fast-check";
import { need } from "../../../../test/need.ts";
import { ignoredBy } from "./ignore.ts";

const noGit = need("git") !== undefined;
/** More runs with other seeds by hand: `IGNORE_RUNS=20000 IGNORE_SEED=7`. */
const numRuns = Number(process.env.IGNORE_RUNS ?? 60);
const seed = Number(process.env.IGNORE_SEED ?? 1);

const envOf = (dir: Scratch) => ({ PATH: process.env.PATH ?? "", HOME: dir.at("home"), GIT_CONFIG_NOSYSTEM: "1" });
function git(dir: Scratch, argv: string[], input?: string): string {
  const done = Bun.spawnSync(["git", "-c", "user.name=x", "-c", "user.email=x", ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdin: input === undefined ? "ignore" : Buffer.from(input),
  });
  if (done.exitCode > 1) throw new Error(`git ${argv.join(" ")}: ${done.stderr}`);
  return done.stdout.toString();
}
function stage(): Scratch {
  const dir = scratch();
  dir.write({ "home/.keep": "", "work/.keep": "" });
  git(dir, ["init", "-q"]);
  return dir;
}
const told = (dir: Scratch, paths: readonly string[], how: readonly string[] = []): string[] =>
  git(dir, ["check-ignore", ...how, "-z", "--stdin"], paths.map((path) => `${path}\0`).join(""))
    .split("\0")
    .filter(Boolean)
    .toSorted();
const ours = (dir: Scratch, paths: readonly string[], root = "work"): string[] | undefined => {
  const ignored = ignoredBy(dir.at(root), paths, { HOME: dir.at("home") });
  return ignored && [...ignored].toSorted();
};

const word = fc.constantFrom(
  "a",
  "b",
  "ab",
  "a.b",
  "foo",
  "x y",
  "é",
  "-",
  "[a]",
  "a*",
  "!a",
  "#a",
  "a ",
  "a\\b",
  "Z1",
);
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const piece = fc.constantFrom(
  ...[
    "a",
    "b",
    "foo",
    "x y",
    "é",
    ".",
    "-",
    "Z",
    "1",
    "*",
    "**",
    "***",
    "?",
    "/",
    "/",
    "/**/",
    "**/",
    "/**",
    "\\",
    "\\*",
  ],
  ...["[ab]", "[!a]", "[^a]", "[a-f]", "[]a]", "[!]a]", "[", "]", "[a", "[[:alpha:]]", "[[:digit:]-]", "[[:odd:]]"],
  ...["[[:a]", "[\\]a]", "[a\\-z]", "[b-a]", "[--0]", "[a-]", "[é]", "\\[a]", " ", "\\ ", "#", "!", "\\!", "\\#", "\t"],
  ...["\r", "[*]", "[/]", "*.b", "ab*", "[[:upper:][:digit:]]", "[[.a.]]", "[a-\\f]"],
);
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "/", "!/"),
    fc.array(piece, { minLength: 1, maxLength: 5 }),
    fc.constantFrom("", "", "/"),
  )
  .map(([front, pieces, back]) => front + pieces.join("") + back);
const rules = fc.tuple(
  fc.array(pattern, { maxLength: 6 }),
  fc.constantFrom("\n", "\r\n"),
  fc.constantFrom("", "\n", "\ufeff"),
);
const textOf = ([lines, end, odd]: [string[], string, string]) =>
  (odd === "\ufeff" ? odd : "") + lines.join(end) + (odd === "\n" ? odd : "");

/** Every file and folder of a tree; what stands in the way of an earlier path is left out. */
function lay(dir: Scratch, paths: readonly string[]): string[] {
  const all = new Set<string>();
  for (const path of paths) {
    try {
      mkdirSync(dirname(dir.at("work", path)), { recursive: true });
      writeFileSync(dir.at("work", path), "x", { flag: "wx" });
    } catch {
      continue;
    }
    for (let at = path; at !== "."; at = dirname(at)) all.add(at);
  }
  return [...all];
}

test.skipIf(noGit)(
  "ignore files mean what git takes them to mean, in any tree",
  () => {
    using dir = stage();
    fc.assert(
      fc.property(
        fc.array(path, { minLength: 1, maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(30), rules), { maxLength: 4 }),
        rules,
        rules,
        (paths, nested, exclude, user) => {
          rmSync(dir.at("work"), { recursive: true });
          dir.write({
            "work/.git/HEAD": "ref: refs/heads/main\n",
            "work/.git/objects/.keep": "",
            "work/.git/refs/.keep": "",
            "work/.git/info/exclude": textOf(exclude),
            "home/.config/git/ignore": textOf(user),
          });
          const all = lay(dir, paths);
          for (const [at, lines] of nested) {
            const folder = at === 0 ? "." : dirname(all[at % all.length] ?? "a");
            writeFileSync(dir.at("work", folder, ".gitignore"), textOf(lines));
          }
          expect(ours(dir, all)).toEqual(told(dir, all, ["--no-index"]));
        },
      ),
      { numRuns, seed },
    );
  },
  numRuns * 1000,
);

const forms: [string, string[][]][] = [
  ["version 2", [["update-index", "--index-version", "2"]]],
  ["version 3", [["update-index", "--skip-worktree", "out/kept"]]],
  ["version 4", [["update-index", "--index-version", "4"]]],
  [
    "split",
    [
      ["update-index", "--split-index"],
      ["rm", "-q", "--cached", "out/gone", "deep/9"],
      ["add", "-f", "out/late"],
    ],
  ],
  [
    "split twice over",
    [
      ["update-index", "--index-version", "4", "--split-index"],
      ["rm", "-rq", "--cached", "deep"],
      ["add", "-f", "out/late"],
    ],
  ],
];
test.skipIf(noGit).each(forms)("a file that is tracked is never ignored, in an index of the form %s", (_, commands) => {
  using dir = stage();
  const names = [...Array.from({ length: 70 }, (_, n) => `deep/${n}`), "out/kept", "out/gone", "é/ü"];
  dir.write(Object.fromEntries(names.map((name) => [`work/${name}`, `${name} ${Math.PI}`])));
  git(dir, ["add", "-f", "."]);
  dir.write({ "work/.gitignore": "*\n", "work/out/late": "", "work/out/never": "", "work/other/x": "" });
  for (const command of commands) git(dir, command);
  const asked = [...names, "out", "deep", "other", "é", "out/late", "out/never", "other/x"];
  const expected = told(dir, asked);
  expect(expected).toContain("out/never");
  expect(expected).not.toContain("out/kept");
  expect(ours(dir, asked)).toEqual(expected);
});

test.skipIf(noGit)("long object names and a folder that stands for all it holds are understood", () => {
  using dir = scratch();
  dir.write({ "home/.keep": "", "work/in/a": "", "work/out/b": "", "work/out/deep/c": "" });
  git(dir, ["init", "-q", "--object-format=sha256"]);
  git(dir, ["add", "."]);
  git(dir, ["commit", "-qm", "x"]);
  git(dir, ["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
  expect(git(dir, ["ls-files", "--sparse"])).toContain("out/\n");
  dir.write({ "work/.gitignore": "*\n", "work/out/new": "", "work/z": "" });
  expect(ours(dir, ["in/a", "out", "out/b", "out/deep", "out/new", "z"])).toEqual(["z"]);
});

test.skipIf(noGit)("work trees and submodules are asked about in their own directories", () => {
  using dir = stage();
  dir.write({ "work/kept": "", "work/.git/info/exclude": "kept\nleft\n" });
  git(dir, ["add", "-f", "kept"]);
  git(dir, ["commit", "-qm", "x"]);
  git(dir, ["worktree", "add", "-q", "../side"]);
  dir.write({ "side/left": "" });
  expect(ours(dir, ["kept", "left"], "side")).toEqual(["left"]);
  expect(ours(dir, ["left"])).toEqual(["left"]);
});

test("the user's own ignore file counts, and what a repository's configuration names does not", () => {
  using dir = scratch();
  dir.write({
    "work/.git/HEAD": "ref: refs/heads/main\n",
    "work/.git/objects/.keep": "",
    "work/.git/refs/.keep": "",
    "work/.git/config": `[core]\n\texcludesFile = ${dir.at("theirs")}\n`,
    theirs: "b\n",
    mine: "a\n",
    "home/.gitconfig": `[user]\n\tname = x\n[CORE] # mine\n\tExcludesFile = "~/../mine" ; here\n`,
  });
  expect(ours(dir, ["a", "b"])).toEqual(["a"]);
  dir.write({ "home/.gitconfig": '[core "x"]\nexcludesfile = /nowhere\n', "home/.config/git/ignore": "b" });
  expect(ours(dir, ["a", "b"])).toEqual(["b"]);
});

test("a directory below the top of a repository is judged by all rules above it", () => {
  using dir = scratch();
  dir.write({
    "work/.git/HEAD": "ref: refs/heads/main\n",
    "work/.git/objects/.keep": "",
    "work/.git/refs/.keep": "",
    "work/.gitignore": "/sub/out\n*.log\n",
    "work/sub/.gitignore": "!keep.log\n",
  });
  expect(ours(dir, ["out", "a.log", "keep.log", "in"], "work/sub")).toEqual(["a.log", "out"]);
});

test("an ignore file that is no regular file is not read, without waiting", () => {
  using dir = scratch();
  dir.write({
    "work/.git/HEAD": "ref: refs/heads/main\n",
    "work/.git/objects/.keep": "",
    "work/.git/refs/.keep": "",
    "work/loop/x": "",
    "work/zero/x": "",
    elsewhere: "*\n",
  });
  Bun.spawnSync(["mkfifo", dir.at("work", ".gitignore")]);
  symlinkSync(dir.at("elsewhere"), dir.at("work", "loop", ".gitignore"));
  symlinkSync("/dev/zero", dir.at("work", "zero", ".gitignore"));
  expect(ours(dir, ["loop/x", "zero/x"])).toEqual([]);
  symlinkSync(".git", dir.at("work", "loop", ".git"));
  expect(ours(dir, ["x"], "work/loop")).toEqual([]);
});
