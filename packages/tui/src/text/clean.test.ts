import { expect, test } from "bun:test";
import fc from "fast-check";
import { guardRow, link, oneLine, printable } from "./clean.ts";

test("control characters in content are shown and cannot reach the terminal", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (value) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
      expect(printable(value)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
      expect(guardRow(value).replace(/\x1b\[[0-9;:]*m/g, "")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    }),
  );
  expect(printable("\x1b]0;title\x07")).toBe("␛]0;title␇");
  expect(printable("a\u202eb")).toBe("a<202e>b");
  expect(printable("\x1b[31mred\x1b[0m\x1b[2J", "keep")).toBe("\x1b[31mred\x1b[0m␛[2J");
  expect(guardRow("\x1b[31mok\x1b[2J\x1b]52;c;eA==\x07")).toBe("\x1b[31mok␛[2J␛]52;c;eA==␇");
  expect(link("x", "javascript:alert(1)")).toBe("x");
  expect(link("x", "https://a\x1b\\b")).toBe("x");
  expect(oneLine(" a\n\tb ")).toBe("a b");
});

test("tabs stand at every fourth column", () => expect(printable("a\tb\tc")).toBe("a   b   c"));
