import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { hashRun } from "./run-hash.ts";

test.each(["x".repeat(5000), "node -e x/y", "a.txt/b", "a.txt/../../b", "..", "/"])(
  "a command with words that no file can have has something behind it all the same: %s",
  (command) => {
    using dir = scratch();
    dir.write({ "a.txt": "", "sub/x": "" });
    expect(hashRun(dir.path, command)).toBe(hashRun(dir.path, command));
  },
);

test("the hash of a command holds a tool of the project that its script calls", () => {
  using dir = scratch();
  dir.write({ "package.json": '{"scripts":{"check":"lint ."}}', "node_modules/.bin/lint": "1" });
  const before = hashRun(dir.path, "npm run check");
  dir.write({ "src/a.ts": "x" });
  expect(hashRun(dir.path, "npm run check")).toBe(before);
  dir.write({ "node_modules/.bin/lint": "2" });
  expect(hashRun(dir.path, "npm run check")).not.toBe(before);
});

const outputs = [
  ["sh check.sh > report.txt 2>&1", "report.txt"],
  ["eslint --cache --cache-location .eslintcache src", ".eslintcache"],
  ["vitest run --reporter=json --outputFile=out.json", "out.json"],
  ["pytest -q --junitxml=report.xml | tee -a all.log", "all.log"],
  ["tsc -p . --tsBuildInfoFile state", "state"],
  ["go test -coverprofile=c.out ./...", "c.out"],
  ["make && diff -u want have 2>&1 | head -5", "have"],
  ["npm run build; ! grep -q TODO src/a.ts >/dev/null", "src/a.ts"],
] as const;

test.each(outputs)("files that a check writes or only reads do not change its hash: %s", (command, file) => {
  using dir = scratch();
  dir.write({ "package.json": JSON.stringify({ scripts: { check: command, "check:all": `FOO=1 ${command}` } }) });
  const before = [hashRun(dir.path, command), hashRun(dir.path, "npm run check")];
  dir.write({ [file]: "x" });
  expect([hashRun(dir.path, command), hashRun(dir.path, "npm run check")]).toEqual(before);
});

test.each([
  ["vitest --reporter ./log.ts", "log.ts"],
  ["cat a > run.sh; sh run.sh", "run.sh"],
  ["foo --without-cache tool/check", "tool/check"],
  ["eslint --cache tool", "tool"],
  ["tool/cache-file x", "tool/cache-file"],
  ["cat tool | sh", "tool"],
  ["cat tool > x; sh x", "tool"],
  ["echo $(sh tool)", "tool"],
  ["diff <(sh tool) want", "tool"],
  ["test -x tool && ./tool", "tool"],
] as const)(
  "what may be run is behind a check, also where it looks like something that is written: %s",
  (command, file) => {
    using dir = scratch();
    dir.write({ [file]: "1" });
    const before = hashRun(dir.path, command);
    dir.write({ [file]: "2" });
    expect(hashRun(dir.path, command)).not.toBe(before);
  },
);
