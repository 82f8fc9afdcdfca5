import { expect, test } from "bun:test";
import { width } from "@pith/tui/theme";
import { inColumns } from "./list.ts";

const window = { outIs: "device", env: { COLUMNS: "40" } } as const;

test("columns stand below each other and inside the window, however wide their letters are", () => {
  const heads = [{ head: "name", gives: true as const }, { head: "size", align: "right" as const }, { head: "of" }];
  const rows = [
    ["日本語のとても長い名前 with words and words", "5", "a"],
    ["e\u0301te\u0301 👩‍👩‍👧‍👦", "12", "b"],
  ];
  const lines = inColumns(heads, rows, window);
  for (const line of lines) expect(width(line)).toBeLessThanOrEqual(40);
  expect(lines.map((line) => width(line.slice(0, line.lastIndexOf(" "))))).toEqual(lines.map(() => 37));
});
