// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { judge } from "../judge/judge.ts";
import { gitDanger } from "../judge/machine/git-config.ts";
import { gitEntry } from "../judge/program/git-table.ts";
import { freshState, type JudgeState } from "../judge/state.ts";
import { attacks } from "../test/attacks.ts";
import { hostileRepositories } from "../test/hostile-repositories.ts";
import { verdictOn } from "./verdict.ts";

/** A project in which `lnk` leads out of it. */
const linked: JudgeState = {
  ...freshState,
  real: (path) => freshState.real(path.replace(/\/project\/lnk(?=\/|$)/, "/out")),
};

test("none of the ways that were found is plain, nor runs unasked without a sandbox in plan or write", () => {
  const got = Object.values(attacks)
    .flat()
    .map((command) => ({
      command,
      plain: judge(command, linked).plain,
      verdicts: (["write", "plan"] as const).map((mode) => verdictOn(command, mode, linked).verdict).join(" "),
    }));
  expect(got.filter(({ plain, verdicts }) => plain !== undefined || verdicts !== "ask deny")).toEqual([]);
});

test("in a repository whose configuration could name a program no command of git is plain", () => {
  for (const [name, files] of Object.entries(hostileRepositories)) {
    using dir = scratch();
    dir.write(files);
    const state = { ...freshState, cwd: dir.path, roots: [dir.path], git: (at: string) => gitDanger(at, () => false) };
    for (const command of ["git status", "git diff", "git log --alternate-refs", "git ls-files"])
      expect([name, command, judge(command, state).plain, verdictOn(command, "write", state).verdict]).toEqual([
        name,
        command,
        undefined,
        "ask",
      ]);
  }
});
test("no option of git takes the one behind it for its value, so that nobody would look at that", () => {
  const shown = gitEntry("shown")?.words ?? [];
  const names = "status log show diff blame shortlog describe rev-list ls-files cat-file grep branch tag reflog";
  const options = (name: string) => new Set([...(gitEntry(name)?.plain ?? []), ...shown]);
  const plain = (command: string) => judge(command, freshState).plain !== undefined;
  const hidden = [...names.split(" "), "stash list", "stash show"].flatMap((name) =>
    Array.from(options(name.split(" ", 1)[0] ?? ""), (option) => `git ${name} ${option} --output=pwn a`).filter(plain),
  );
  expect(hidden).toEqual([]);
  expect(plain("git log -n 3 --author a")).toBe(true);
});

test("where sed has no sandbox of its own, every script that it is given has to be short", () => {
  const program = (name: string) => ({ call: ["/bin/busybox", name], flavor: "busybox" as const });
  const written = (command: string) => judge(command, { ...freshState, program }).plain;
  for (const command of [
    "sed -newer a",
    "sed -n -e 'w b' a",
    "sed -e p -e '1e id' a",
    "sed -ne1w\\ b a",
    "sed '1w b' a",
  ])
    expect([command, written(command)]).toEqual([command, undefined]);
  for (const command of ["sed -n -e 1,3p a", "sed -n -e 1p -e '$p' a", "sed s/a/b/ a"])
    expect([command, written(command)]).toEqual([command, expect.any(String)]);
});

test("git in a file, in nothing and in a directory that nobody may look into asks", () => {
  using dir = scratch();
  dir.write({ "a.txt": "x" });
  const state = { ...freshState, cwd: dir.path, roots: [dir.path], git: (at: string) => gitDanger(at, () => false) };
  for (const place of ["a.txt", "none", "a.txt/x"])
    expect(verdictOn(`git -C ${place} status`, "write", state).verdict).toBe("ask");
});

test("what runs in the place of a plain command is its parse, each word in quotes and programs by their paths", () => {
  const written = (command: string) => judge(command, freshState).plain;
  expect(written("cd src && grep -n 'a b' *.ts 2>/dev/null | head -3")).toBe(
    "cd -- '/home/user/project/src' || exit && '/usr/bin/grep' '-n' 'a b' 'x.ts' 2>/dev/null | '/usr/bin/head' '-3'",
  );
  expect(written("sed -n '1w b' a")).toBe("'/usr/bin/sed' '--sandbox' '-n' '1w b' 'a'");
  // The shell's own would evaluate it.
  expect(written("test -v 'a[$(touch pwn)]'")).toBe("'/usr/bin/test' '-v' 'a[$(touch pwn)]'");
  expect(written("diff -rN d1 d2")).toContain("'--no-dereference'");
  // Without it names of hosts would be looked up.
  expect(written("lsof -i")).toBe("'/usr/bin/lsof' '-n' '-i'");
  expect(written("git status -s")).toContain("'-c' 'core.fsmonitor=false' '-c' 'core.hooksPath=/dev/null'");
  // Without it a diff would write the index.
  expect(written("git diff")).toContain("'-c' 'diff.autoRefreshIndex=false'");
});
