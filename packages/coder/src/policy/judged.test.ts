import { expect, test } from "bun:test";
import { worstRisk } from "@pith/agent";
import fc from "fast-check";
import { commandEffects } from "../judge/effect.ts";
import { judge } from "../judge/judge.ts";
import { freshState } from "../judge/state.ts";
import { judgedRows } from "../test/policy.ts";
import { verdictOn } from "./verdict.ts";

const letters: Record<string, string> = {
  "read inside": "r",
  "read outside": "R",
  "write inside": "w",
  "write outside": "W",
  net: "n",
  exec: "x",
  opaque: "o",
};

/** The letters of all that a command does. */
const does = (command: string): string => {
  const { parts } = judge(command, freshState);
  const done = commandEffects.filter((effect) => parts.some((part) => part.effects.includes(effect)));
  return (
    done
      .map((effect) => letters[effect])
      .sort()
      .join("") || "-"
  );
};

const severity = (command: string) => worstRisk(judge(command, freshState).parts.map((part) => part.severity));

test("every command of the table is as bad as it says, and does what it says", () => {
  expect(judgedRows.length).toBeGreaterThan(500);
  const wrong = judgedRows.filter((row) => does(row.command) !== row.effects || severity(row.command) !== row.severity);
  expect(wrong.map(({ command }) => `${severity(command)} ${does(command)} ${command}`)).toEqual([]);
});

test("the worst part of a command counts", () => {
  const rows: [string, string][] = [
    ["npm install && sudo x", "high"],
    ["rm -rf /", "critical"],
    ["rm   -rf    /", "critical"],
    [":(){ :|:& };:", "critical"],
    ["mkfs.ext4 /dev/sda1", "critical"],
    ["dd  if=/dev/zero of=x", "critical"],
    ["sudo ls", "high"],
    ["chmod 777 x", "high"],
    ["kill -9 1234", "high"],
    ["npm publish", "high"],
    ["npm install", "medium"],
    ["pip install x", "medium"],
    ["docker run x", "medium"],
    ["ls", "none"],
    ["cat a", "none"],
    ["echo a", "none"],
    ["whatever --else", "none"],
  ];
  for (const [command, expected] of rows) expect([command, severity(command)]).toEqual([command, expected]);
});

test("each part is told with its program, its words and its own severity", () => {
  const { parts } = judge("FOO=1 ls -l | xargs rm -rf build; echo $(date)", freshState);
  expect(parts.map(({ text, program, args }) => [text, program, args])).toEqual([
    ["FOO=1 ls -l", "ls", ["-l"]],
    ["xargs rm -rf build", "xargs", ["rm", "-rf", "build"]],
    ["rm -rf build …", "rm", ["-rf", "build", undefined]],
    ["echo $(date)", "echo", [undefined]],
    ["date", "date", []],
  ]);
});

test("a path leads where its links lead", () => {
  const real = (path: string) => path.replace("/home/user/project/link", "/etc");
  const on = (command: string) => verdictOn(command, "auto", { ...freshState, real });
  expect(on("cat link/shadow").verdict).toBe("ask");
  expect(on("echo x > link/hosts").verdict).toBe("ask");
});

test("no text makes it fail, and a long one takes no long time", () => {
  const words =
    "git|-c|constructor|__proto__|toString|=|$x|\"|'|$(|)|`|{|}|;|&|rm|-rf|/|sed|awk|find|-exec|[|]|\n|\\|<<E|tar";
  const bits = fc.constantFrom(...words.split("|"), "|", " ", " ", " ");
  const texts = [
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.array(bits, { maxLength: 40 }).map((all) => all.join("")),
    fc.array(bits, { maxLength: 40 }).map((all) => all.join(" ")),
  ];
  fc.assert(
    fc.property(fc.oneof(...texts), (text) => {
      expect(["allow", "ask"]).toContain(verdictOn(text, "auto", freshState).verdict);
    }),
    { numRuns: 3000 },
  );
  const began = performance.now();
  for (const long of [
    `sed '${" ".repeat(60_000)}x'`,
    `echo ${"[".repeat(60_000)}`,
    `x='${"[".repeat(60_000)}'`,
    `git branch ${"--format=a ".repeat(4000)}$'\\n'`,
    `NODE_OPTIONS='${"--no-warnings ".repeat(4000)}!' ls`,
    `awk '${"/".repeat(60_000)}'`,
    "a;".repeat(400),
    "a|".repeat(400).concat("b"),
    "for a in b; do ".repeat(50).concat("cd x", "; done".repeat(50)),
    `${"cd a; ".repeat(300)}ls`,
  ])
    verdictOn(long, "auto", freshState);
  expect(performance.now() - began).toBeLessThan(5000);
});

test("what is too long, too much, or no command at all asks", () => {
  for (const text of ["a".repeat(70_000), "a;".repeat(501), "echo 'x", "cat <<E\nx", "a\0b", "if", `sh -c "'"`])
    expect([text.slice(0, 20), verdictOn(text, "auto", freshState)]).toMatchObject([
      text.slice(0, 20),
      { verdict: "ask", confined: "ask" },
    ]);
  expect(verdictOn("a".repeat(10_000_000), "yolo", freshState).verdict).toBe("ask");
  expect(verdictOn("echo 'x", "plan", freshState).verdict).toBe("deny");
});

test("a cd in the background or in a pipe moves nothing, and one that runs here does", () => {
  for (const command of [
    "cd / & rm -rf src",
    "cd / | true; rm -rf src",
    "(cd /); rm -rf src",
    "true | cd /; rm -rf src",
  ])
    expect([command, does(command), severity(command)]).toEqual([command, "w", "none"]);
  for (const command of ["cd / && rm -rf src", "cd /; rm -rf src", "{ cd /; }; rm -rf src"])
    expect([command, severity(command)]).toEqual([command, "critical"]);
});

test("a variable that changes how words are split or programs are found is minded wherever it is set", () => {
  for (const name of ["IFS", "PATH", "LD_PRELOAD", "BASH_ENV", "HOME", "GIT_DIR", "PITH_HOME"])
    for (const command of [`${name}=/x`, `${name}=/x ls`, `export ${name}=/x`, `${name}=/x; rm a`, `env ${name}=/x ls`])
      expect([command, does(command).includes("o")]).toEqual([command, true]);
  for (const command of ["FOO=/x ls", "export FOO=/x", "env FOO=/x ls"])
    expect([command, does(command)]).toEqual([command, "-"]);
  // A value that names nothing steers nothing, but an empty IFS or PATH does.
  expect([does("PAGER=cat git status"), does("IFS= read a"), does("PATH= ls")]).toEqual(["r", "o", "o"]);
});
