import { expect, test } from "bun:test";
import { shellChangeReader } from "./shell-changes.ts";

const began = 'declare -- _="x"\ndeclare -i RANDOM="1"\ndeclare -x PATH="/bin"\n';
const now = (...lines: string[]) => ({ began, now: [`${lines.join("\n")}\n`] });

test("what every command changes of a shell is not read again, and anything else is", () => {
  const learn = shellChangeReader();
  const plain = ['declare -a PIPESTATUS=([0]="0")', 'declare -x PATH="/bin"'];
  const first = learn(now('declare -- _="echo"', 'declare -i RANDOM="2"', ...plain));
  expect(learn(now('declare -- _="ls -l"', 'declare -i RANDOM="3"', ...plain))).toBe(first);
  for (const line of [
    'declare -- X="1"',
    'declare -x BASH_ENV="/tmp/x"',
    "alias ls='rm -rf'",
    "\\builtin set -o noglob",
  ])
    expect(learn(now('declare -- _="ls"', line, ...plain))).not.toEqual(first);
});

test("a line that looks like the shell's own and holds more than plain words is read", () => {
  const learn = shellChangeReader();
  const alias = (value: string) => now(`alias x='true`, `declare -- _="${value}"`, "'");
  learn(alias("a"));
  expect(learn(alias("$(touch y)")).aliases.x).toContain("$(touch y)");
});
