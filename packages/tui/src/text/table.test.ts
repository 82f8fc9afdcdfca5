import { expect, test } from "bun:test";
import { builtinTheme, plainTheme } from "../theme/palette.ts";
import { markdownRows } from "./markdown.ts";
import { tableRows } from "./table.ts";
import { width } from "./width.ts";

const theme = builtinTheme({ level: "256" });

test("tables shrink their widest column first and become records when nothing fits", () => {
  const table = {
    header: ["name", "what it does"],
    rows: [["read", "reads a file or a folder and says what is in it"]],
  };
  for (const columns of [80, 40, 25])
    for (const row of tableRows(table, columns, theme)) expect(width(row)).toBeLessThanOrEqual(columns);
  expect(tableRows(table, 12, plainTheme)[0]).toBe("name: read");
});

test("a table breaks no word as long as there is room for all of them", () => {
  const rows = markdownRows(
    "| Column One | Column Two |\n|---|---|\n| superlongword short | otherword |\n| small | tiny |",
    29,
    { theme: plainTheme },
  );
  expect(rows.join("\n")).toContain("│ superlongword │ otherword │");
  for (const row of rows) expect(width(row)).toBeLessThanOrEqual(29);
});
