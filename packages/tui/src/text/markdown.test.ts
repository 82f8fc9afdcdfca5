import { expect, test } from "bun:test";
import { sample } from "../test/text.ts";
import { builtinTheme, plainTheme } from "../theme/palette.ts";
import { markdownRows } from "./markdown.ts";
import { strip, width } from "./width.ts";

const theme = builtinTheme({ level: "256" });

test("markdown becomes rows that fit at every width", () => {
  for (let columns = 1; columns < 100; columns += 7)
    for (const row of markdownRows(sample, columns, { theme }))
      if (columns >= 8) expect(width(row)).toBeLessThanOrEqual(columns);
  expect(markdownRows(sample, 40, { theme: plainTheme }).join("\n")).toMatchSnapshot();
});

test("a heading is told by its colour, and by its marks where there is none", () => {
  const drawn = (level: "256" | "none") =>
    strip(markdownRows("## A *b*", 20, { theme: builtinTheme({ level }) }).join());
  expect([drawn("256"), drawn("none")]).toEqual(["A b", "## A b"]);
});

test("blocks in an item of a list stand apart where they do in the source", () => {
  expect(markdownRows("1. a\n\n   b\n2. c\n   - d", 20, { theme: plainTheme })).toEqual([
    "1. a",
    "",
    "   b",
    "2. c",
    "   • d",
  ]);
});
