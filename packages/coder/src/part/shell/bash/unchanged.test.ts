// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, expect, test } from "bun:test";
import { Shell } from "@pith/host";
import { scratch } from "@pith/kit/test";
import { parse } from "../../../bash/parse.ts";
import { leavesShellUnchanged } from "./unchanged.ts";

const dir = scratch(afterAll);
const shell = new Shell({ cwd: dir.path, env: { ...process.env, HOME: dir.path }, startup: "skip" });
afterAll(() => shell[Symbol.dispose]());

const run = async (command: string, leaves?: "nothing") => {
  const said: Uint8Array[] = [];
  const ran = await shell.run({
    command,
    leaves,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    onData: (chunk) => void said.push(chunk),
  });
  if (!ran.ok) throw new Error(ran.message);
  return { ...ran.value, said: Buffer.concat(said).toString() };
};
const leaves = (command: string) => leavesShellUnchanged(parse(command), shell.definitions("outside"));

const plain = [
  "echo one two",
  "ls -la | sort -r | head -3",
  "ls >list 2>&1 && cat list || echo none",
  'git status; echo "$HOME ${PATH}"; pwd',
  "printf '%s\\n' \"$HOME\"",
  "( cd /; x=1; set -e; false ); ls",
  'echo "$(x=1; cd /; pwd)" <(ls)',
  "if ls; then echo yes; else false; fi",
  "cat <<EOF\n$HOME\nEOF",
  "/bin/ls *.{a,b} ~",
];

const changing = [
  "cd /",
  "x=1",
  "x=1 ls",
  "export X=1; ls",
  "ls; source list",
  "echo ${x:=1}",
  "echo $((n = 3))",
  "echo ${a[n++]}",
  "printf -v x 1",
  "printf 'abc%n' x",
  "printf '%5n' x",
  'printf "$f" x',
  "read x <list",
  "mapfile -t a <list",
  "for n in 1 2; do ls; done",
  "[[ a =~ (.) ]]",
  "ls {fd}>list",
  "cat <<EOF\n${x:=1}\nEOF",
  "f() { ls; }",
  "{ ls; umask 077; }",
  "ls &",
  "$program",
  "exec ls",
  "alias ls=cat",
  "shopt -s extglob",
  "echo 'not closed",
];

test("a command that changes its shell is never taken for one that does not", async () => {
  expect(leaves("ls")).toBe(false);
  await run(":");
  expect(plain.filter((command) => !leaves(command))).toEqual([]);
  expect(changing.filter(leaves)).toEqual([]);
});

test("a name that stands for something of the shell's own is no program", async () => {
  await run("ls() { cd /; }; alias grep='x=1; grep'; shopt -s expand_aliases");
  expect(["ls", "ls | sort", "grep x list", "sort list"].map(leaves)).toEqual([false, false, false, true]);
  await run("unset -f ls; unalias grep; declare -n ref='a[n++]'");
  expect(leaves("echo $ref")).toBe(false);
  await run("unset -n ref");
  expect(leaves("ls")).toBe(true);
});

test("what a shell holds is the same after commands that leave it alone, and $? is theirs", async () => {
  await run("cd /tmp; name=kept; f() { echo called; }; false");
  expect((await run("echo $?", "nothing")).said).toBe("1\n");
  expect((await run("ls /nowhere-at-all", "nothing")).exitCode).toBe(2);
  const after = await run('echo "$? $name $(f) $PWD"', "nothing");
  expect(after.said).toBe("2 kept called /tmp\n");
  expect(after.cwd).toBe("/tmp");
  // The variables of one call are gone with it, and what changes something is heard again.
  await run("name=other");
  expect((await run("echo $name", "nothing")).said).toBe("other\n");
});
