import { expect, test } from "bun:test";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { readCondition } from "./condition.ts";

const takes = (source: string): boolean => {
  try {
    RE2JS.compile(source);
    return true;
  } catch {
    return false;
  }
};

const literalsOf = (source: string) => {
  const read = readCondition(source);
  return read.ok ? read.value.literals : read.message;
};

test("what must stand in every match is found, also behind alternatives and brackets", () => {
  expect(literalsOf("console\\.log\\(")).toEqual(["console.log("]);
  expect(literalsOf("(?:describe|it|test)\\.only\\(")).toEqual([".only("]);
  expect(literalsOf("\\b(?:foobar|quux)\\b")).toEqual(["foobar", "quux"]);
  expect(literalsOf("(?i)TODO: fix")).toEqual(["todo: fix"]);
  expect(literalsOf("a{3}bcd?")).toEqual([]);
  expect(literalsOf("[.]env[.]")).toEqual([".env."]);
  expect(literalsOf("\\Qa.b(c\\E")).toEqual(["a.b(c"]);
  expect(literalsOf("(a+)+$")).toEqual([]);
  expect(literalsOf("foobar|x")).toEqual([]);
  expect(literalsOf("foo(?:bar)*baz")).toEqual(["baz"]);
});

test("what cannot be matched in linear time is refused with the reason", () => {
  expect(literalsOf("a(?=b)")).toContain("looks ahead");
  expect(literalsOf("(?<!a)b")).toContain("looks ahead or back");
  expect(literalsOf("(a)\\1")).toContain("refers back");
  expect(literalsOf("(")).toContain("without a closing one");
  expect(literalsOf("x".repeat(3000))).toContain("longer than");
});

test.each(
  [
    ..."a(?=b) (?<!a)b (a)\\1 \\u0041 \\x{41} (?<n>a) a++ a{1001} (a{1000}){1000} \\p{L} \\p{Greek} [[:alpha:]]".split(
      " ",
    ),
    ..."\\Qa.b\\E \\C a** (?i)x \\/ \\- \\_ [a- ( a{2,1} x{,3} { } ] \\z \\Z \\A (?P=n) (?#c)a (?>a) [^]".split(" "),
    ..."[]a] \\cA \\0 \\07 \\8 [\\b] (?i:a)b (?U)a+ a|* |a ^* \\pN \\k<n> (?<a-b>x) (?m)^a$ \\h (?x)a (?-s).".split(
      " ",
    ),
    ..."(?z)a [[:foo:]] [z-a] \\x4 \\e \\f\\v\\a\\t (?P<n>a)(?P<n>b) a?? a{2}{3} a{2}? (?:) () [\\d-z] [a-\\d] )".split(
      " ",
    ),
    ..."\\p{Foo} \\p{Lu} \\PL \\p{^Greek} [\\w.] [^\\n] a{0} (a|b){1,1000}".split(" "),
    ..."\\x{110000} (?i-s:a.) \\12 \\1 [\\1] [a\\-z] [\\x41-[] [\\x41-Z] (?i)[a-Ü] (?i)[É-Ü] (?i)[Ü-É]".split(" "),
  ].map((source) => [source]),
)("%s is taken or refused as the engine does it", (source) => {
  expect(readCondition(source).ok).toBe(takes(source));
});

test("whatever is written, the engine says the same, and a match has one of the literals", () => {
  const piece = fc.constantFrom(
    ...["abc", "x", "\\d", "\\w+", ".", "[a-f]", "[^b]", "(?:ab|cde)", "(foo)?", "a{2,3}", "\\b", "^", "$", "\\.", "|"],
    ...["(", ")", "[", "]", "*", "+", "?", "{2}", "\\s*", "(?i)", "\\Q", "\\E", "(?s:.)", "\\p{L}", "É", "\\x41", "-"],
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      fc.string({ unit: fc.constantFrom(..."abcdefoxABCÉ. \n1") }),
      (list, text) => {
        const source = list.join("");
        // It repeats what stands before the switch, which nobody means.
        if (/\(\?i?\)[*+?{]|\\Q\\E[*+?{]/.test(source)) return;
        const read = readCondition(source);
        expect([source, read.ok]).toEqual([source, takes(source)]);
        if (!read.ok || read.value.literals.length === 0) return;
        const found = RE2JS.compile(source).matcher(text);
        if (!found.find()) return;
        const matched = found.group()?.toLowerCase() ?? "";
        expect(read.value.literals.some((literal) => matched.includes(literal))).toBe(true);
      },
    ),
    { numRuns: 5000 },
  );
});
