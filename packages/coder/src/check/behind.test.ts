import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { behind } from "./behind.ts";

test.each(["x".repeat(5000), "node -e x/y", "a.txt/b", "a.txt/../../b", "..", "/"])(
  "a command with words that no file can have has something behind it all the same: %s",
  (command) => {
    using dir = scratch();
    dir.write({ "a.txt": "", "sub/x": "" });
    expect(behind(dir.path, command)).toBe(behind(dir.path, command));
  },
);

test("a tool of the project that a script calls is behind it", () => {
  using dir = scratch();
  dir.write({ "package.json": '{"scripts":{"check":"lint ."}}', "node_modules/.bin/lint": "1" });
  const before = behind(dir.path, "npm run check");
  dir.write({ "src/a.ts": "x" });
  expect(behind(dir.path, "npm run check")).toBe(before);
  dir.write({ "node_modules/.bin/lint": "2" });
  expect(behind(dir.path, "npm run check")).not.toBe(before);
});
