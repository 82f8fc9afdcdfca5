import { expect, test } from "bun:test";
import { compileGlob, matchesGlob } from "./glob.ts";

const matches = (pattern: string, text: string) => {
  const glob = compileGlob(pattern);
  return glob !== undefined && matchesGlob(glob, text);
};

test.each([
  ["*.ts", "a.ts", true],
  ["*", "a/b", false],
  ["**/b", "b", true],
  ["**/b", "a/c/b", true],
  ["**/b", "ab", false],
  ["a/**", "a/b/c", true],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a**b", "a/b", false],
  ["a**b", "axb", true],
  ["a/?", "a//", false],
  ["[a-c]x", "bx", true],
  ["[!a-c]x", "bx", false],
  ["[!a]", "/", false],
  ["[]x]", "]", true],
  ["[[:digit:]]", "7", true],
  ["[[:constructor:]]", "c", false],
  ["[x", "x", false],
  ["\\*", "*", true],
  ["\\", "\\", false],
] as const)("the pattern %s against %s", (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

test("a pattern that has a thousand ways to fail fails at once", () => {
  const began = performance.now();
  expect(matches(`${"*a".repeat(200)}b`, "a".repeat(400))).toBe(false);
  expect(matches(`${"**/".repeat(200)}b`, "a/".repeat(400))).toBe(false);
  expect(performance.now() - began).toBeLessThan(2000);
});
