// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { namedFiles } from "./pinned.ts";

test("a yes to a command line covers each file of the project that it names, however it is written", () => {
  using dir = scratch();
  dir.write({
    "work/check.sh": "one",
    "work/tools/lint.py": "two",
    "work/with space/x.sh": "three",
    "work/sub/here.js": "four",
    "work/pkg/index.js": "five",
    outside: "never",
  });
  mkdirSync(dir.at("work/empty"));
  symlinkSync(dir.at("work/check.sh"), dir.at("work/link.sh"));
  const named = (line: string) => {
    const text = namedFiles(line, dir.at("work/sub"), { root: dir.at("work"), cwd: dir.at("work/pkg") });
    return [...text.matchAll(/^(\S.*):\n/gm)].map(([, path]) => path);
  };
  const rows: [line: string, ...files: string[]][] = [
    ["../check.sh", "check.sh"],
    ["check.sh --fast", "check.sh"],
    ['"$CLAUDE_PROJECT_DIR"/here.js', "sub/here.js"],
    ["$CLAUDE_PROJECT_DIR/here.js", "sub/here.js"],
    ["node ${CLAUDE_PROJECT_DIR}/here.js", "sub/here.js"],
    ["${CLAUDE_PROJECT_DIR:-.}/here.js", "sub/here.js"],
    ["python3 'tools/lint.py'", "tools/lint.py"],
    ["cd tools && ./lint.py", "tools/lint.py"],
    ["cd tools; python lint.py", "tools/lint.py"],
    ['sh -c "tools/lint.py; check.sh"', "check.sh", "tools/lint.py"],
    ["sh 'with space/x.sh'", "with space/x.sh"],
    ['sh "with space"/x.sh', "with space/x.sh"],
    ["sh with\\ space/x.sh", "with space/x.sh"],
    ["X=1 LINT=tools/lint.py make", "tools/lint.py"],
    ["node pkg", "pkg/index.js"],
    ["`cat tools/lint.py`", "tools/lint.py"],
    ["./link.sh; ../link.sh", "link.sh"],
    ["cat <../check.sh", "check.sh"],
    ["cat ../../outside /etc/passwd"],
    ["./index.js", "pkg/index.js"],
    ["echo nothing"],
  ];
  for (const [line, ...files] of rows) expect([line, ...named(line)]).toEqual([line, ...files]);
});

test("bytes that are no text, and files that are too long to read, make another yes", () => {
  using dir = scratch();
  dir.write({ "work/a.bin": "a\0b", "work/b.bin": "a\0c" });
  const of = (name: string) =>
    namedFiles(`./${name}`, dir.at("work"), { root: dir.at("work"), cwd: dir.at("work") }).split(":\n")[1];
  expect(of("a.bin")).toMatch(/^sha256 [0-9a-f]{64}$/);
  expect(of("a.bin")).not.toBe(of("b.bin"));
  dir.write({ "work/big": "x".repeat(17 * 1024 * 1024) });
  expect(of("big")).not.toBe(of("big"));
});
