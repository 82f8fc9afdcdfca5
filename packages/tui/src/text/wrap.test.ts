import { expect, test } from "bun:test";
import fc from "fast-check";
import { pieced as text } from "../test/text.ts";
import { guardRow, link } from "./clean.ts";
import { strip, width } from "./width.ts";
import { wrap } from "./wrap.ts";

test("wrapping loses no letter and keeps every row inside the edge", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 20 }), (value, columns) => {
      const rows = wrap(value, columns);
      for (const row of rows) expect(width(row)).toBeLessThanOrEqual(columns);
      expect(strip(rows.join("")).replaceAll(" ", "")).toBe(strip(value).replaceAll(" ", ""));
    }),
  );
});

test("colour and link go on in the next row of a wrapped text and end with each row", () => {
  const rows = wrap(`\x1b[31mred words here\x1b[39m ${link("a link of words", "https://pith.dev")}`, 6);
  for (const row of rows.slice(0, 3)) expect(row.startsWith("\x1b[31m")).toBe(true);
  const linked = rows.filter((row) => strip(row).match(/link|words$/));
  for (const row of linked.slice(1)) expect(row).toContain("\x1b]8;;https://pith.dev");
});

test("a wrapped row says its own colours, whatever form they were given in, and a wrapped link stays a link", () => {
  for (const on of ["1;38;5;110", "38;2;1;2;3", "48;5;3", "4:3", "38:5:9"])
    expect(wrap(`\x1b[${on}mone two three`, 5)).toEqual(
      ["one", "two", "three"].map((word) => `\x1b[${on}m${word}\x1b[0m`),
    );
  const rows = wrap(link("one two three", "https://pith.dev"), 5);
  expect(rows).toEqual(["one", "two", "three"].map((word) => link(word, "https://pith.dev")));
  for (const row of rows) expect(guardRow(row)).toBe(row);
  expect(wrap("\x1b[1ma\nb\x1b[22m", 5)).toEqual(["\x1b[1ma\x1b[0m", "\x1b[1mb\x1b[22m"]);
});

test("a colour that ends or begins at the space where a row is broken does so in the next row", () => {
  expect(wrap("\x1b[31mre\u0301d\x1b[0m plain", 5)).toEqual(["\x1b[31mre\u0301d\x1b[0m", "plain"]);
  expect(wrap("plain\x1b[31m re\u0301d\x1b[39m", 5)).toEqual(["plain\x1b[31m\x1b[0m", "\x1b[31mre\u0301d\x1b[39m"]);
});

test("colours that were switched off do not pile up in the rows of a long paragraph", () => {
  const rows = wrap("\x1b[1mbold\x1b[22m \x1b[38;5;180mcode\x1b[39m ".repeat(50), 20);
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThan(100);
});

test("Chinese and Japanese text fills its rows and no row begins with a full stop", () => {
  const rows = wrap("see 日本語のテキスト。そして次の文です。", 12);
  expect(rows).toEqual(["see 日本語の", "テキスト。そ", "して次の文で", "す。"]);
});

test("indented code keeps its indentation when a word is too long for the row", () =>
  expect(wrap("    abcdefghij", 8)).toEqual(["    abcd", "efghij"]));
