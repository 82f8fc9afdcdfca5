// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { expect, test } from "bun:test";
import { judge } from "../judge/judge.ts";
import { freshState } from "../judge/state.ts";
import { approvals } from "./approval.ts";
import { verdictOn } from "./verdict.ts";

const asked = (command: string, mode: (typeof approvals)[number] = "auto") =>
  [command, verdictOn(command, mode, freshState).verdict !== "allow"] as const;

test("a bad command is seen wherever it stands in a longer one", () => {
  const around = [
    "ls; X",
    "X; ls",
    "ls && X",
    "ls || X",
    "ls | X",
    "ls |& X",
    "ls & X",
    "ls\nX",
    "echo $(X)",
    'echo "$(X)"',
    "echo `X`",
    "cat <(X)",
    "ls > >(X)",
    "cat <<E\n$(X)\nE",
    "cat <<E\nx\nE\nX",
    "(X)",
    "{ X; }",
    "! X",
    "time X",
    "if X; then ls; fi",
    "for a in $(X); do ls; done",
    "while ls; do X; done",
    "case a in a) X;; esac",
    "f() { X; }",
    "[[ $(X) ]]",
    "((a[$(X)]))",
    "a=$(X)",
    "a=(1 $(X))",
    "echo ${a:-$(X)}",
    "ls # fine\nX",
    "coproc X",
    "trap 'X' EXIT",
    "eval 'X'",
    "sh -c 'X'",
    "sh <<'E'\nX\nE",
  ];
  for (const shape of around)
    for (const bad of ["rm -rf /", "sudo ls", "git push --force"]) {
      const command = shape.replace("X", bad);
      expect(asked(command)).toEqual([command, true]);
      expect(asked(shape.replace("X", "ls"))).toEqual([shape.replace("X", "ls"), false]);
    }
});

test("a text that is read in two ways is never taken for the harmless one", () => {
  for (const command of [
    "ls\rrm -rf x",
    "a\rid",
    "$'\\162m' -rf /",
    "rm$IFS-rf$IFS/",
    "r{m,} -rf /",
    "{sudo,ls}",
    "/bi*/rm -rf /",
    "$(echo sudo) ls",
    "cat <<E\nE \nrm -rf /",
    "ls;".repeat(501),
    "ls\u2028; sudo ls",
    "\u202els",
    "sud\\\no ls",
  ])
    expect(asked(command)).toEqual([command, true]);
});

test("a variable that changes what programs do is seen, however it is set", () => {
  for (const set of [
    "X ls",
    "export X; ls",
    "declare -x X; ls",
    "typeset X; ls",
    "readonly X; ls",
    "X; ls",
    "env X ls",
    "env -u A X ls",
    "eval X; ls",
    "nice env X ls",
  ])
    for (const name of ["PATH=/tmp/x", "LD_PRELOAD=x", "BASH_ENV=x", "GIT_CONFIG_GLOBAL=x", "NODE_OPTIONS=-rx"]) {
      const command = set.replace("X", name);
      expect(asked(command)).toEqual([command, true]);
    }
  expect(asked("PAGER='sudo x' git log")[1]).toBe(true);
  expect(asked("LANG=C PAGER=cat git log")[1]).toBe(false);
});

test("an option by which a harmless program runs or writes something is not taken for reading", () => {
  const proven = (command: string) => verdictOn(command, "write", freshState).verdict === "allow";
  const pairs: [harmless: string, other: string][] = [
    ["find . -name x", "find . -name x -exec ./x {} +"],
    ["find . -type f", "find . -type f -fprint out"],
    ["git log", "git -c core.pager=./x log"],
    ["git log -3", "git log -3 --output=x"],
    ["git diff", "git diff --ext-diff"],
    ["git grep x", "git grep -O./y x"],
    ["git branch", "git branch x"],
    ["rg x", "rg --pre ./y x"],
    ["rg x a", "rg -z x a"],
    ["sed 1d a", "sed -i 1d a"],
    ["awk '{print}' a", "awk '{print | \"sh\"}' a"],
    ["sort a", "sort a -o b"],
    ["sort a", "sort --outp=b a"],
    ["uniq a", "uniq a b"],
    ["tree", "tree -o b"],
    ["date", "date -s x"],
    ["cat a", "cat a > b"],
    ["ls", "ls $(./x)"],
    ["sort a", "sort $x"],
    ["fd x", "fd x -x ./y"],
    ["jq . a", "yq -i . a"],
    ["bash -n a", "bash a"],
  ];
  for (const [harmless, other] of pairs)
    expect([harmless, proven(harmless), other, proven(other)]).toEqual([harmless, true, other, false]);
});

test("a path that leaves the project by its name, a link or a folder is outside", () => {
  const outside = (command: string) =>
    judge(command, freshState).parts.some(({ effects }) => effects.some((effect) => effect.endsWith("outside")));
  for (const command of [
    "cat ../x",
    "cat src/../../x",
    "cd .. && cat x",
    "cd src/../.. && cat x",
    "ln -s / r && cat r/x",
    "ln -s .. r; echo x > r/y",
    "cat ~/x",
    "cat $HOME/x",
    "echo x > $UNKNOWN",
    "for d in ..; do cd ..; cat x; done",
    "f() { cd ..; }; f; cat x",
    "pushd .. ; cat x",
    "(cd ..; cat x)",
  ])
    expect([command, outside(command)]).toEqual([command, true]);
  for (const command of ["cat x", "cat src/../x", "cd src && cat ../x", "(cd ..); cat x", "cd src; cat x", "cat ./*"])
    expect([command, outside(command)]).toEqual([command, false]);
});

test("files that run by themselves are asked about in every mode, whoever writes them", () => {
  const files = [
    ".git/hooks/pre-commit",
    ".git/config",
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".husky/pre-push",
    ".vscode/tasks.json",
    ".pith/config.yml",
    "~/.bashrc",
    "~/.zshenv",
    "~/.gitconfig",
    "~/.ssh/authorized_keys",
    "~/.pith/grants.yml",
    "~/.config/autostart/x.desktop",
  ];
  const ways = ["echo x > F", "cp x F", "mv x F", "tee F < x", "sed -i s/a/b/ F", "ln -sf x F", "rm F", "touch F"];
  for (const file of files)
    for (const way of ways)
      for (const mode of approvals) {
        const command = way.replace("F", file);
        expect([mode, ...asked(command, mode)]).toEqual([mode, command, true]);
      }
  for (const command of [
    "cd .git && echo x > config",
    "cp -r hooks .git",
    "ln -s .git g && echo x > g/config",
    "patch -p1 <<'E'\n--- a/x\n+++ b/.github/workflows/x.yml\n@@ -0,0 +1 @@\n+x\nE",
    "git config core.hooksPath x",
    "crontab x",
  ])
    expect(asked(command, "yolo")).toEqual([command, true]);
});
