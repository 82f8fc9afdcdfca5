import { expect, test } from "bun:test";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { scratch } from "./scratch.ts";

test("a folder for a test is there with its files and gone afterwards", () => {
  let path = "";
  {
    using dir = scratch();
    path = dir.path;
    expect(realpathSync(path)).toBe(path);
    dir.write({ "deep/a.txt": "a", "run.sh": "#!/bin/sh\n" });
    expect(readFileSync(dir.at("deep", "a.txt"), "utf8")).toBe("a");
    expect(statSync(dir.at("run.sh")).mode & 0o111).not.toBe(0);
  }
  expect(existsSync(path)).toBe(false);
});

test("a folder for all tests of a file goes when the file is done", () => {
  let done = () => {};
  const dir = scratch((remove) => {
    done = remove;
  });
  expect(existsSync(dir.path)).toBe(true);
  done();
  done();
  expect(existsSync(dir.path)).toBe(false);
});
