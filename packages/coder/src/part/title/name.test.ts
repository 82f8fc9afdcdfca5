import { expect, test } from "bun:test";
import { cleanTitle, firstWords } from "./name.ts";

test.each([
  ["Fix the flaky test", "Fix the flaky test"],
  ['  "Fix the\n\tflaky  test." ', "Fix the flaky test"],
  ["„Den Test reparieren“", "Den Test reparieren"],
  ["**Fix it**", "Fix it"],
  ["Version 2.0", "Version 2.0"],
  ["修复 测试", "修复 测试"],
  ["🚀", "🚀"],
])("%j becomes a title", (text, title) => {
  expect(cleanTitle(text)).toBe(title);
});

test("nothing that a terminal obeys or that hides text is in a title", () => {
  const evil =
    "a\u001b]0;owned\u0007b\u001b[31mc\u009b2Jd\u202ee\u2066f\u200bg\u2028h\u0000i\ufeffj\u{e0041}k\ud800l\r\nm";
  const title = cleanTitle(evil) ?? "";
  expect(title).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  expect(title).not.toContain("owned");
  for (const none of ["", " \n", "...", '""', "\u202e\u200b", "\u001b[31m"]) expect(cleanTitle(none)).toBeUndefined();
});

test("a title is short, whatever was given, and never half a character", () => {
  expect(cleanTitle("x".repeat(5_000_000))).toHaveLength(80);
  const family = "👨‍👩‍👧‍👦".repeat(100);
  expect(cleanTitle(family)?.isWellFormed()).toBe(true);
  expect(cleanTitle("é".normalize("NFD").repeat(200))?.length).toBeLessThanOrEqual(80);
});

test("the first words of what was said stand in for a title", () => {
  expect(firstWords("please fix it")).toBe("please fix it");
  expect(firstWords("one two three four five six seven eight nine ten\nand more")).toBe(
    "one two three four five six seven eight…",
  );
  expect(firstWords("w".repeat(300))).toHaveLength(60);
  expect(firstWords("\n\n  fix\nthe rest")).toBe("fix");
  expect(firstWords("")).toBeUndefined();
});
