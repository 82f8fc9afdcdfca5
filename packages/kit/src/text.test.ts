import { expect, test } from "bun:test";
import { cleanText, formatCount, plainText, shellQuote, shorten, splitLines } from "./text.ts";

test("an escape sequence goes whole, and one without an end takes nothing with it", () => {
  expect(cleanText("a\x1b[31mred\x1b[0m \x1b]0;title\x07b\x1b]8;;http://x\x1b\\c\x1b_Gi=1\x1b\\d")).toBe("ared bcd");
  expect(cleanText("see \x1b]0;the rest\nof the answer")).toBe("see 0;the rest\nof the answer");
  expect(cleanText("see \x9dthe rest \x9d of it")).toBe("see the rest  of it");
  expect(cleanText("\x1bPthe rest\x1b[0m of it")).toBe("the rest of it");
});

test("a picture in SIXEL is no text, and of what follows one that does not end only a word may go with it", () => {
  expect(cleanText("a\x1bP0;1;0q#0;2;0;0;0~~@@-\n$~\x1b\\b")).toBe("ab");
  expect(cleanText("\x1bPqand so on, to the end")).toBe(" so on, to the end");
});

test("many beginnings of sequences cost no more than any other text", () => {
  const began = performance.now();
  for (const start of ["\x1b]x", "\x9d", "\x1bP", "\x1b[0"]) cleanText(start.repeat(300_000));
  expect(performance.now() - began).toBeLessThan(3000);
});

test("what would reorder text is shown to people and left in data", () => {
  expect(plainText("safe\u202egnp.exe\u2066\u200f")).toBe("safe<202e>gnp.exe<2066><200f>");
  expect(cleanText("safe\u202egnp")).toBe("safe\u202egnp");
});

test("a text is shortened at a whole character, and a shell reads a quoted one as it was", () => {
  expect(shorten("abcdef", 6)).toBe("abcdef");
  expect(shorten("abcdef", 4)).toBe("abc…");
  expect(shellQuote("it's")).toBe("'it'\\''s'");
  expect(formatCount(1234567)).toBe("1,234,567");
  expect([splitLines("a\nb\n"), splitLines(""), splitLines("\n")]).toEqual([["a", "b"], [], [""]]);
});
