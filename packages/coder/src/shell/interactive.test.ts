import { expect, test } from "bun:test";
import { interactiveEnv, isInteractive } from "./interactive.ts";

test("programs that need somebody in front of them are known, however they are started", () => {
  for (const command of [
    "vim",
    "vim a.txt",
    "sudo -E nano /etc/hosts",
    "cd src && vim a.ts",
    "git log | less",
    "man ls",
    "top",
    "ssh -p 22 host",
    "python3",
    "sqlite3 a.db",
    "git commit",
    "git commit --amend",
    "git -C x rebase -i HEAD~3",
    "git add -p",
    "A=1 /usr/bin/vi x",
  ])
    expect([command, isInteractive(command)]).toEqual([command, true]);
});

test("what can be read afterwards is run as ever", () => {
  for (const command of [
    "ls",
    "man ls | head",
    "vim --version",
    "top -b -n 1",
    "python3 a.py",
    "node -e 1",
    "sqlite3 a.db 'select 1'",
    "git commit -m x",
    "git commit -am x",
    "git commit --no-edit --amend",
    "git add .",
    "echo vim",
    "less a.txt > b.txt",
    "vim a.txt &",
    "echo $(vim)",
    "bash a.sh",
    'sh "$ROOT/a.sh"',
    "python3 $(ls *.py)",
    "if then (",
  ])
    expect([command, isInteractive(command)]).toEqual([command, false]);
});

test("who sits in front of a program has their own editor and pager there", () => {
  expect(interactiveEnv({ EDITOR: "nano" })).toMatchObject({
    EDITOR: "nano",
    GIT_EDITOR: "nano",
    PAGER: "less",
    NO_COLOR: "",
  });
  expect(interactiveEnv({ VISUAL: "hx", EDITOR: "ed", PAGER: "most" })).toMatchObject({
    VISUAL: "hx",
    EDITOR: "ed",
    PAGER: "most",
  });
});
