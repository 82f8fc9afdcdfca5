// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import type { ShellCommand } from "../command.ts";
import { Shell, type ShellOptions } from "../shell.ts";
import { sameDefinitions } from "./definitions.ts";
import { withoutOwn } from "./state.ts";

const folder = scratch();
const dir = folder.path;
const shells: Shell[] = [];
afterAll(() => {
  for (const shell of shells) shell[Symbol.dispose]();
  folder[Symbol.dispose]();
});

/** Runs commands one after the other in a shell of their own; returns the output of each. */
async function say(
  commands: readonly (string | Partial<ShellCommand>)[],
  options: Partial<ShellOptions> = {},
): Promise<string[]> {
  const shell = new Shell({ cwd: dir, env: process.env, startup: "skip", ...options });
  shells.push(shell);
  const said: string[] = [];
  for (const command of commands) {
    const chunks: Uint8Array[] = [];
    const request = typeof command === "string" ? { command } : command;
    const got = await shell.run({
      command: "",
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      onData: (chunk) => void chunks.push(chunk),
      ...request,
    });
    if (!got.ok) throw new Error(got.message);
    said.push(`${Buffer.concat(chunks).toString().trimEnd()}${got.value.exitCode ? ` =${got.value.exitCode}` : ""}`);
  }
  return said;
}

test("a program that asks what its input is finds the null device, and not something to read from", async () => {
  expect(
    await say(["readlink /proc/self/fd/0; cat /dev/stdin; read x; echo $?; sh -c 'readlink /proc/self/fd/0'"]),
  ).toEqual(["/dev/null\n1\n/dev/null"]);
});

test("a command that traps its own end and then exits keeps its state, and its trap sees how it ended", async () => {
  expect(await say(["x=1; trap 'echo bye $?' EXIT; cd /; exit 5", "echo $x $PWD"])).toEqual(["bye 5 =5", "1 /"]);
  expect(await say(["x=2; set -e; trap 'echo bye' EXIT; false", "echo $x; set +e; false"])).toEqual(["bye =1", "2 =1"]);
  expect(await say(["x=3; trap 'rc=$?; echo $rc; exit 9' 0; exit 4", "echo $x; declare -F trap"])).toEqual([
    "4 =9",
    "3 =1",
  ]);
  expect(await say(["tidy() { echo tidied; }; f() { trap tidy EXIT; x=4; }; f; exit", "echo $x"])).toEqual([
    "tidied",
    "4",
  ]);
  expect(
    await say(["trap 'echo never' EXIT; trap - EXIT; x=5; exit", "echo $x; trap 'echo int' INT; trap -p INT"]),
  ).toEqual(["", "5\ntrap -- 'echo int' SIGINT"]);
  expect(await say(["trap() { echo own trap; }; trap x EXIT", "trap y EXIT; exit", "trap z"])).toEqual([
    "own trap",
    "own trap",
    "own trap",
  ]);
  expect(await say(["trap 'echo mine' EXIT; trap 'echo other' TERM; kill $$; echo on"])).toEqual(["other\non\nmine"]);
});

test("what a command breaks in its syntax is shown as it was written", async () => {
  const [said] = await say(["set -e; x=1", "echo a; ; echo b"]);
  expect(said).toBe("");
  const [, wrong = ""] = await say(["true", "echo a; ; echo b"]);
  expect(wrong).toContain("`echo a; ; echo b'");
  expect(wrong).not.toContain("pith");
  expect(wrong).not.toContain("builtin");
});

test("the next command can ask how the one before ended", async () => {
  expect(
    await say(["false", "echo $?", "exit 7", "echo $?", "no-such-program 2>/dev/null", "echo $?", "echo $?"]),
  ).toEqual([" =1", "1", " =7", "7", " =127", "127", "0"]);
});

/** Options of a shell whose user has this in the start-up file. */
function startUp(rc: string): Partial<ShellOptions> {
  const home = join(dir, crypto.randomUUID());
  mkdirSync(home);
  writeFileSync(join(home, ".bashrc"), rc);
  return { env: { ...process.env, HOME: home }, startup: "read" };
}

test("options of start-up files do not hide how the command before ended", async () => {
  expect(await say(["exit 7", "echo $?", "echo $?"], startUp("set -o pipefail"))).toEqual([" =7", "7", "0"]);
  expect(await say(["(exit 3)", "echo $?; echo $nothing; echo never"], startUp("set -u"))).toEqual([
    " =3",
    expect.stringContaining("unbound variable =1"),
  ]);
});

test("naming another directory in PWD does not move the shell", async () => {
  expect(await say(["PWD=/etc", "/bin/pwd"])).toEqual(["", dir]);
});

test("directories that were pushed can be popped by a later command", async () => {
  expect(
    await say([
      "pushd / >/dev/null; pushd /usr >/dev/null",
      "popd >/dev/null; pwd; dirs -l -p | tail -1",
      "popd >/dev/null; pwd",
    ]),
  ).toEqual(["", `/\n${dir}`, dir]);
});

test("a directory whose name is no text costs the way there and nothing else", async () => {
  const [, next] = await say(["mkdir $'b\\xffd'; cd b*", "pwd"]);
  expect(next).toBe(dir);
});

test("options of one command are gone in the next, those of the start-up files stay", async () => {
  const shows = "echo $-; set -o | grep pipefail; shopt nullglob globstar; false | true; grep -c x /dev/null; echo on";
  const [first, , third, , fifth] = await say(
    [shows, "set -euxo pipefail; set -C; shopt -s nullglob; shopt -u globstar", shows, "set -n", shows],
    startUp("shopt -s globstar; set -o noclobber"),
  );
  expect(first).toMatch(/^\w*C\w*\npipefail +\toff\nnullglob +\toff\nglobstar +\ton\n0\non$/);
  expect([third, fifth]).toEqual([first, first]);
});

test("a function that could only be written with an option is read by every later command", async () => {
  const define = "shopt -s extglob\neval 'f() { case $1 in +(a)) echo yes;; *) echo no;; esac; }'; alias g=f; x=1";
  expect(await say([define, "true", "f aa; g b; echo $x; shopt -q extglob || echo off"])).toEqual([
    "",
    "",
    "no\nno\n1\noff",
  ]);
});

test("a trap that hears every command hears none of ours", async () => {
  expect(await say(["trap 'echo heard' DEBUG; echo a"])).toEqual(["heard\na"]);
});

test("calls with variables of their own leave no file", async () => {
  const list = "f=${PITH_RUN_END##*>|}; f=${f%%.state*}; f=${f%/*}; ls ${f:1}";
  const [, , last = ""] = await say([{ command: "true", env: { y: "2" } }, "true", list]);
  expect(last).toContain(".state");
  expect(last).not.toContain(".env");
});

test("a variable that cannot be set for one call is named as the shell would", async () => {
  expect(await say(["readonly fixed=1", { command: "echo $fixed", env: { fixed: "2" } }])).toEqual([
    "",
    "bash: fixed: readonly variable\n1",
  ]);
});

test("an alias or function with the name of a builtin disturbs nothing", async () => {
  const odd =
    "alias .=pwd export='echo X' trap='echo Y'; cd() { builtin cd \"$@\" && echo moved; }; set() { echo set; }; exec() { echo exec; }; read() { :; }";
  mkdirSync(join(dir, "sub"), { recursive: true });
  expect(await say([odd, "cd sub; x=1", { command: "echo $x $y; pwd", env: { y: "2" } }])).toEqual([
    "",
    "moved",
    `1 2\n${join(dir, "sub")}`,
  ]);
});

test("a variable whose name no shell can hold reaches the programs", async () => {
  expect(await say(["env | grep '^odd.name='"], { env: { ...process.env, "odd.name": "1" } })).toEqual(["odd.name=1"]);
});

test("a big variable lasts beyond a command that trapped its own end", async () => {
  expect(await say([`x=${"y".repeat(300_000)}; trap : EXIT; exit`, "echo ${#x}"])).toEqual(["", "300000"]);
});

test("what every shell has of its own is not read again by the next, and no line of a value is taken for that", () => {
  const own = ['declare -r BASHOPTS="a:b"', "declare -i RANDOM", "declare -a GROUPS=()", 'declare -- _="x y"'];
  const kept = ['declare -x A="1"', "declare -- B=$'a\\ndeclare -i RANDOM\\n'", 'declare -a C=([0]="x)" [1]="\\"y")'];
  const rest = ['declare -- D="first', "declare -i RANDOM", 'last"', "declare -- SECONDS", "f () ", "{ ", "}", ""];
  const text = (lines: readonly string[]) => ["[[ $BASHOPTS == a:b ]] || :", ...lines].join("\n");
  const mixed = kept.flatMap((line, at) => [own[at] ?? "", line]);
  expect(withoutOwn(text([...mixed, own[3] ?? "", ...rest]))).toBe(text([...kept, ...rest]));
  const exported = 'declare -x BASH="/bin/bash"\n';
  expect(withoutOwn(exported)).toBe(exported);
});

test("a state that was made lighter is the same to the next commands and to whoever compares", async () => {
  const shell = new Shell({ cwd: dir, env: process.env, startup: "skip" });
  shells.push(shell);
  const chunks: Uint8Array[] = [];
  const run = async (command: string) => {
    const onData = (chunk: Uint8Array) => void chunks.push(chunk);
    const got = await shell.run({ command, timeoutMs: 20_000, signal: new AbortController().signal, onData });
    if (!got.ok) throw new Error(got.message);
    await new Promise((done) => setImmediate(() => setImmediate(done)));
  };
  await run("x=$'a\\ndeclare -i RANDOM\\nb'; export y=2; f() { echo $1; }; alias g=f; declare -a z=(1 2)");
  const before = shell.definitions("outside");
  await run("true");
  expect(before && sameDefinitions(before, shell.definitions("outside"))).toBe(true);
  await run("BASH=/my/bash BASH_VERSION=7");
  await run('echo $BASH $BASH_VERSION "$x" $y ${z[1]} $((RANDOM >= 0)) ${#GROUPS[@]} $SECONDS; g h');
  expect(Buffer.concat(chunks).toString()).toMatch(/^\/my\/bash 7 a\ndeclare -i RANDOM\nb 2 2 1 [1-9]\d* 0\nh\n$/);
  expect(shell.changedExports()).toEqual(["y"]);
});

test("a command that traces itself sees none of ours, and the next one is not traced", async () => {
  expect(await say(["set -xu; echo a", { command: "echo plain", leaves: "nothing" }, "echo more"])).toEqual([
    "++ echo a\na",
    "plain",
    "more",
  ]);
});
