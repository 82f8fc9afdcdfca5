import { expect, test } from "bun:test";
import { join } from "node:path";
import { parse } from "../../../bash/parse.ts";
import { tidy } from "./tidy.ts";

const cwd = "/project";

test("a leading cd becomes the working directory, unless one is given or it is not certain", () => {
  const options = {
    isDirectory: (path: string) => ![join(cwd, "gone"), join(cwd, "locked")].includes(path),
    pipes: "strip" as const,
    read: parse,
  };
  const of = (command: string, named?: string) => tidy({ cwd, userHome: cwd }, command, { ...options, cwd: named });
  expect(of("cd sub && ls -a")).toEqual({ command: "ls -a", cwd: join(cwd, "sub") });
  expect(of('cd "sub dir" && a; b')).toEqual({ command: "a; b", cwd: join(cwd, "sub dir") });
  expect(of("cd ~/x && a")).toEqual({ command: "a", cwd: join(cwd, "x") });
  for (const same of [
    "cd $HOME && a",
    "cd - && a",
    "cd gone && a",
    "cd 'a' ; b",
    "cd a\n&& b",
    "cd ~bob && a",
    "cd a*b && c",
    "cd locked && a",
  ])
    expect(of(same)).toEqual({ command: same });
  // Other arguments may name a place by a mention; the shell does not know those.
  expect(of("cd @sub && a").cwd).toBe(join(cwd, "@sub"));
  expect(of("cd '~/x' && a").cwd).toBe(join(cwd, "~/x"));
  expect(of("cd s\\ub && a <<E\nx\nE\nb")).toEqual({ command: "a <<E\nx\nE\nb", cwd: join(cwd, "sub") });
  expect(of("cd sub && a", "/x")).toEqual({ command: "cd sub && a" });
});

test("a trailing tail or 2>&1 is taken off where that means the same", () => {
  const of = (command: string, pipes: "strip" | "keep" = "strip") =>
    tidy({ cwd, userHome: cwd }, command, { isDirectory: () => true, pipes, read: parse });
  for (const [pipe, lines] of [
    ["2>&1 | tail", 10],
    ["2>&1 | tail -5", 5],
    ["2>&1 | tail -n 20", 20],
    ["2>&1 | tail -n20", 20],
    ["2>&1 | tail --lines=7", 7],
    ["|& tail -n 5", 5],
    ["\\\n  2>&1 \\\n  | tail -3", 3],
    ["2>&1 |\n tail -3", 3],
  ] as const)
    for (const rest of ["", " # the end", "\n"])
      expect(of(`npm test ${pipe}${rest}`)).toEqual({ command: `(npm test)${rest}`, lines, bare: `npm test${rest}` });
  expect(of("cd sub && npm test 2>&1 | tail -5")).toMatchObject({
    command: "(npm test)",
    lines: 5,
    cwd: join(cwd, "sub"),
  });
  expect(of("export A=1 && B=2; npm test |& tail -5")).toMatchObject({
    command: "export A=1 && B=2; (npm test)",
    lines: 5,
  });
  expect(of("a && b 2>&1")).toEqual({ command: "a && b" });
  expect(of("A=1 B='x y' bin/make -j4 2>&1 | tail -5").command).toBe("A=1 B='x y' bin/make -j4");
  expect(of("a 2>/dev/null | tail -5").command).toBe("(a 2>/dev/null)");
  expect(of("(cd sub; make) 2>&1 | tail -5").command).toBe("(cd sub; make) 2>&1");
  expect(of("make |& sort 2>&1 | tail").command).toBe("make |& sort");
  for (const same of [
    "npm test 2>&1 | head -5",
    "npm test | head",
    "a > log 2>&1",
    "a || tail -5",
    "a |& tail -f",
    "a |& tail -n +5",
    "a |& tail +5",
    "a |& tail -c 5",
    "a |& tail -5 log",
    "a |& tail -n $N",
    "a |& tail -5 > log",
    "a |& tail -5 &",
    "a |& tail -5 | wc -l",
    "a; b |& tail -5",
    "echo first && b |& tail -5",
    "go test -run 'A|B' | grep -v x |& tail",
    "tail -f log |& tail -1",
    "cat /dev/zero |& tail -1",
    "npm run dev |& tail -5",
    "while a; do b; done |& tail",
    "a | grep tail",
    "! a |& tail",
    "time a |& tail",
    "a; export A='x|y' |& tail -1",
    "((n++)) |& tail -1",
    "[[ -f x ]] |& tail -1",
    "{ a; b; } |& tail -1",
    "for i in 1 2; do make; done |& tail -1",
    "cat huge.log |& tail -5",
    "$x |& tail -1",
    "echo a\\| tail -5",
    "echo a\\ 2>&1",
    "a && 2>&1",
    "echo `a |& tail -1",
    "a | tail -1",
    "a > log | tail -1",
    "a 2>&1 > log | tail -1",
    "a |& sort | tail",
    "cd nope; a |& tail -1",
    "rm nope; a |& tail -1",
    "rm nope && a |& tail -1",
    "cd - && a |& tail -1",
    "A=$(b) && a |& tail -1",
    "true || a |& tail -1",
    "cat <<E |&\nx\nE\ntail -1",
    "a # b |& tail -1",
    "echo 'a |& tail -1'",
    "cat <<E\na |& tail -1\nE",
  ])
    expect(of(same)).toEqual({ command: same });
  expect(of("npm test |& tail -5", "keep")).toEqual({ command: "npm test |& tail -5" });
});

test("what stands behind a tail that is taken off still runs, above all the text of a here-document", () => {
  const texts = { "": "", "<<E": "\nprint(1) | tail\nE", "<<'E F' <<-G": "\n2>&1\nE F\n\tb\n\tG\n" };
  let taken = 0;
  for (const program of ["a", "./a -", "A=1 a <x", "(cd b; c)", "a |& b", "cat >f && a"])
    for (const [operator, text] of Object.entries(texts))
      for (const off of [" 2>&1", " | tail -1", " 2>&1 | tail", "|& tail -n 3", " 2>&1 \\\n|tail -2"])
        for (const rest of ["", " # end", ";", " && true"]) {
          const [left, right] = [`${program} ${operator}`.trimEnd(), rest + text];
          const { command } = tidy({ cwd, userHome: cwd }, left + off + right, {
            isDirectory: () => false,
            read: parse,
            pipes: "strip",
          });
          const bare = command.replace(/^\((a.*?|A.*?)\)/, "$1");
          expect([left + off + right, left + right, `${left} 2>&1${right}`]).toContain(bare);
          if (bare !== left + off + right) taken++;
        }
  expect(taken).toBeGreaterThan(100);
});
