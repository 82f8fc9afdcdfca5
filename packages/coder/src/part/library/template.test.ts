import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { argumentsIn, embedded, fillShell, fillTemplate, withOutputs } from "./template.ts";

test("arguments are parted as a shell parts them, and an open quote is told", () => {
  expect(argumentsIn(`a "b c" 'd "e' f\\ g h\\"i ""`).words).toEqual(["a", "b c", 'd "e', "f g", 'h"i', ""]);
  expect(argumentsIn(`'a\\b'`).words).toEqual(["a\\b"]);
  expect(argumentsIn(`say "never closed`)).toEqual({ words: ["say", "never closed"], open: "open quote" });
});

test("every hole is filled in one pass, so that an argument that looks like one stays as it is", () => {
  const rows: [string, string, string][] = [
    ["Fix $1 in $2.", "a b", "Fix a in b."],
    ["$1|$2", "'$2 $@ $ARGUMENTS' x", "$2 $@ $ARGUMENTS|x"],
    ["All: $@", "a 'b c'", "All: a b c"],
    ["All: $ARGUMENTS", "a 'b c'", "All: a 'b c'"],
    ["$@[2] and $@[2:1]", "a b c", "b c and b"],
    ["{{args}}, {{ arguments }}", "x", "x, x"],
    ["[$3]", "a", "[]"],
    [["$", "{1:-none} $", "{@:2}"].join(""), "", "none "],
    ["No hole.", "more", "No hole.\n\nmore"],
    ["No hole.", "", "No hole."],
    ["$10 costs $$1", "x", " costs $x"],
    ["{{cwd}} $HOME", "", "{{cwd}} $HOME"],
  ];
  for (const [body, typed, text] of rows) expect([body, fillTemplate(body, typed)]).toEqual([body, text]);
});

test("commands in a text are found in both spellings, and what they print is not looked at again", () => {
  const body = "Status:\n!`git status`\nand !{ls -l}";
  expect(embedded(body)).toEqual(["git status", "ls -l"]);
  expect(withOutputs(body, ["clean !`rm`", "$1"])).toBe("Status:\nclean !`rm`\nand $1");
});

test("in a command of Gemini's only its own hole is one, and braces of the shell end nothing", () => {
  const body = "Sum !{awk '{ s += $1 } END { print s }' {{args}}} for {{args}}, $1 each.";
  const [command = ""] = embedded(body);
  expect(command).toBe("awk '{ s += $1 } END { print s }' {{args}}");
  expect(fillShell(command, "a.txt 'b c'", "gemini")).toBe("awk '{ s += $1 } END { print s }' 'a.txt' 'b c'");
  expect(fillTemplate(withOutputs(body, ["7"]), "us", "gemini")).toBe("Sum 7 for us, $1 each.");
  expect(fillTemplate("Costs $1.", "x", "gemini")).toBe("Costs $1.\n\nx");
});

test("what is typed stays words in a command, whatever quotes its hole stands in", () => {
  using dir = scratch();
  const nasty = ["$(touch evil)", "`touch evil`", "'; touch evil; '", '"; touch evil; "', "a b", "\\", "$1", "-n"];
  for (const word of nasty) {
    const typed = `'${word.replaceAll("'", "'\\''")}'`;
    for (const [command, shown] of [
      ["printf %s $1", word],
      ['printf %s "$1"', word],
      ['printf %s "<$1>"', `<${word}>`],
      ["printf %s '$1'", word],
      ["printf %s 'it'\\''s $1'", `it's ${word}`],
      ['printf %s "\\"$1"', `"${word}`],
      ["printf %s $(printf %s $1)x | tr -d '\\n'", undefined],
      ['printf %s "$ARGUMENTS"', word],
      ["printf %s {{args}}", word],
      ["printf %s '$'$1", `$${word}`],
    ] as const) {
      const filled = fillShell(command, typed);
      const ran = Bun.spawnSync(["bash", "-c", filled ?? "false"], { cwd: dir.path });
      if (shown !== undefined) expect([filled, ran.stdout.toString()]).toEqual([filled, shown]);
    }
  }
  expect(readdirSync(dir.path)).toEqual([]);
  for (const command of ['echo "$(echo "$1")"', "cat <<E\n$1\nE", "echo $(( $1 ))", "echo $'$1'", "true # don't $1"])
    expect([command, fillShell(command, "x")]).toEqual([command, undefined]);
  expect(fillShell('echo "$(date)"', "x")).toBe('echo "$(date)"');
});
