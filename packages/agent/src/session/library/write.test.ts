import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import type { Header } from "../entry.ts";
import { writeSession } from "./write.ts";

const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/w" } as Header;

test("a session is written whole, for its owner alone, in a folder for its owner alone", () => {
  using dir = scratch();
  const file = dir.at("new", "deep", "s.jsonl");
  // Parts of a megabyte are written as they come; each line may use the same memory.
  const shared = Buffer.alloc(300_000);
  const letters = "abcdefgh";
  function* lines() {
    for (const letter of letters) yield shared.fill(letter);
  }
  writeSession(file, header, lines());
  const [first, ...rest] = readFileSync(file, "utf8").split("\n");
  expect(JSON.parse(first ?? "")).toEqual(header);
  expect(rest.map((line) => [line[0] ?? "", line.length])).toEqual([
    ...[...letters].map((letter): [string, number] => [letter, 300_000]),
    ["", 0],
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect([dir.at("new"), dir.at("new", "deep")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(readdirSync(dir.at("new", "deep"))).toEqual(["s.jsonl"]);
});

test("lines that cannot be had leave the old file as it was, and nothing beside it", () => {
  using dir = scratch();
  dir.write({ "s.jsonl": "old" });
  function* lines() {
    yield Buffer.alloc(2 << 20, "x");
    throw new Error("the source is gone");
  }
  expect(() => writeSession(dir.at("s.jsonl"), header, lines())).toThrow("the source is gone");
  expect(readFileSync(dir.at("s.jsonl"), "utf8")).toBe("old");
  expect(readdirSync(dir.path)).toEqual(["s.jsonl"]);
});

test("what stands at the temporary name goes, and a link there is not followed", () => {
  using dir = scratch();
  dir.write({ victim: "mine" });
  symlinkSync(dir.at("victim"), dir.at("s.jsonl.tmp"));
  writeSession(dir.at("s.jsonl"), header, []);
  expect(readFileSync(dir.at("victim"), "utf8")).toBe("mine");
  expect(existsSync(dir.at("s.jsonl.tmp"))).toBe(false);
  writeFileSync(dir.at("s.jsonl.tmp"), "left by a crash");
  writeSession(dir.at("s.jsonl"), header, [Buffer.from("{}")]);
  expect(readFileSync(dir.at("s.jsonl"), "utf8")).toBe(`${JSON.stringify(header)}\n{}\n`);
});

test("no handle stays open, whether it was written or not", () => {
  using dir = scratch();
  const open = () => readdirSync("/proc/self/fd").length;
  const before = process.platform === "linux" ? open() : 0;
  const broken: Iterable<Buffer> = {
    [Symbol.iterator]() {
      throw new Error("no");
    },
  };
  for (let round = 0; round < 20; round++) {
    writeSession(dir.at(`${round}.jsonl`), header, []);
    expect(() => writeSession(dir.at("s.jsonl"), header, broken)).toThrow("no");
  }
  expect(process.platform === "linux" ? open() - before : 0).toBeLessThan(5);
});
