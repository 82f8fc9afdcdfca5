// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { expect, test } from "bun:test";
import { judge } from "../judge/judge.ts";
import { freshState } from "../judge/state.ts";
import { verdictOn } from "./verdict.ts";

/** Ways by which something else ran than what was read, one of each class and some of their relatives. */
const attacks: Readonly<Record<string, readonly string[]>> = {
  "a word behind a closing redirection": [
    "env <&-sh <&--c <&-'touch pwn'",
    "cat <&-../home/.ssh/id_rsa",
    "rm <&--rf <&-/",
    "git <&-push <&---force",
    "find . <&--delete",
  ],
  "a variable whose name is put together": [
    "foo=cat; printf -v f''oo touch; $foo pwn",
    "foo=x; read f''oo < a; $foo",
    "foo=/dev/null; printf -v f''oo ~/.bashrc; echo evil > \"$foo\"",
    'q=f; printf -v "${q}oo" rm; $foo -rf x',
  ],
  "a subscript or an offset that is evaluated": [
    "a['$(touch pwn)']=1",
    "a=(['$(touch pwn)']=1)",
    "a=([\\$(touch\\ pwn)]=1)",
    "a=([$'\\x24(touch pwn)']=1)",
    "declare -a a=(['$(touch pwn)']=1)",
    "echo ${PATH:0:'a[$(touch pwn)]'}",
  ],
  "a value that is expanded again": [
    "z='$(touch pwn)'; [[ ${z@P} ]]",
    "z='$(touch pwn)'; case ${z@P} in x) ;; esac",
    "z='$(touch pwn)'; (( ${z@P} ))",
  ],
  "a sum over what nobody knows": ["read z < f; RANDOM=z", "mapfile -t z < arith; echo $((z))", "y=([z]=1)"],
  "a name of the shell's own": ["BASH_CMDS[ls]=./file; ls", "BASH_ALIASES[ls]='touch pwn'\nls"],
  "a program of awk": [
    'awk \'/[[:alpha:]/"]/{print | "sh"} #"\' file',
    'awk \'/[\\]/"]/;{print | "sh"}#"\' file',
    "awk 'BEGIN{ARGV[1]=\"/etc/passwd\";ARGC=2}{print}' a",
  ],
  "a descriptor that is a way": [
    "exec 3<.; echo evil > /dev/fd/3/../home/.bashrc",
    "cat 3<. /dev/fd/3/../out2/secret.txt",
    "touch <()pwn",
    "cat <()../out2/secret.txt",
  ],
  "a place by another name": [
    "cat [l\\x]nk/secret.txt",
    "cat ~/.ss[h\\x]/id_rs[a\\x]",
    "cd -P lnk/.. && cat secret.txt",
    "objdump -S e.o",
    "rg --files ../x",
    "ls --color ../x",
    "xxd -ps ../x",
    "git diff ../a ../b",
    "git diff /etc/passwd /etc/hosts",
    "tree -l",
  ],
  "an option that writes": ["ss -D ../home/.bashrc", "file -C -m x", "uniq a b", "sort -o b a", "git log --output=x"],
  "a second directory of git": ["git -C . -C evil status", "git --git-dir=x status", "git -c core.fsmonitor=x status"],
};

test("none of the ways that were found is plain, nor runs unasked without a sandbox in plan or write", () => {
  for (const [name, commands] of Object.entries(attacks))
    for (const command of commands)
      expect([
        name,
        command,
        judge(command, freshState).plain,
        verdictOn(command, "write", freshState).verdict,
        verdictOn(command, "plan", freshState).verdict,
      ]).toEqual([name, command, undefined, "ask", "deny"]);
});

test("what runs in the place of a plain command is its parse, each word in quotes and programs by their paths", () => {
  const written = (command: string) => judge(command, freshState).plain;
  expect(written("cd src && grep -n 'a b' *.ts 2>/dev/null | head -3")).toBe(
    "cd -- '/home/user/project/src' || exit && '/usr/bin/grep' '-n' 'a b' 'x.ts' 2>/dev/null | '/usr/bin/head' '-3'",
  );
  expect(written("sed -n '1w b' a")).toBe("'/usr/bin/sed' '--sandbox' '-n' '1w b' 'a'");
  expect(written("diff -rN d1 d2")).toContain("'--no-dereference'");
  expect(written("git status -s")).toContain("'-c' 'core.fsmonitor=false' '-c' 'core.hooksPath=/dev/null'");
});
