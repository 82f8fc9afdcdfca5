import { expect, test } from "bun:test";
import { parseSelector } from "./selector.ts";

const parse = (argument: string, names: string[] = []) => {
  const got = parseSelector(argument, (path) => names.includes(path));
  return got.ok ? got.value : got.message;
};
const numbered = "numbered" as const;

test("every form of a line selector is understood", () => {
  const table: [string, object[]][] = [
    ["a:5", [{ from: 5, to: 5 }]],
    ["a:5-", [{ from: 5 }]],
    ["a#L5", [{ from: 5, to: 5 }]],
    ["a#L5-L9", [{ from: 5, to: 9 }]],
    ["a#L5C2-9", [{ from: 5, to: 9 }]],
    ["a:L5-", [{ from: 5 }]],
    ["a:5-9", [{ from: 5, to: 9 }]],
    ["a:L5-L9", [{ from: 5, to: 9 }]],
    ["a:5+3", [{ from: 5, to: 7 }]],
    [
      "a:30-35,5-10,8-12",
      [
        { from: 5, to: 12 },
        { from: 30, to: 35 },
      ],
    ],
    ["a:5-9,10-12", [{ from: 5, to: 12 }]],
    ["a:40-,5-6", [{ from: 5, to: 6 }, { from: 40 }]],
    ["a:40-,50-60", [{ from: 40 }]],
    [
      "a:10,14",
      [
        { from: 10, to: 10 },
        { from: 14, to: 14 },
      ],
    ],
  ];
  for (const [argument, ranges] of table)
    expect(parse(argument)).toEqual({ path: "a", ranges, show: numbered } as never);
});

test("raw stands alone or on either side of lines, conflicts alone", () => {
  expect(parse("a:raw")).toEqual({ path: "a", ranges: [], show: "raw" });
  expect(parse("a:raw:2-3")).toEqual({ path: "a", ranges: [{ from: 2, to: 3 }], show: "raw" });
  expect(parse("a:2-3:raw")).toEqual({ path: "a", ranges: [{ from: 2, to: 3 }], show: "raw" });
  expect(parse("a:conflicts")).toEqual({ path: "a", ranges: [], show: "conflicts" });
});

test("what is no selector stays part of the name", () => {
  for (const argument of ["a:b", "a:", "a:5-x", "a:5,,6", "a:raws", "a", "a:5_"])
    expect(parse(argument)).toEqual({ path: argument, ranges: [], show: numbered });
  expect(parse("a:5", ["a:5"])).toEqual({ path: "a:5", ranges: [], show: numbered });
  expect(parse("a:3:4", ["a"])).toEqual({ path: "a", ranges: [{ from: 3, to: 3 }], show: numbered });
  expect(parse("a:3:4")).toEqual({ path: "a:3", ranges: [{ from: 4, to: 4 }], show: numbered });
  expect(parse("a#L5", ["a#L5"])).toEqual({ path: "a#L5", ranges: [], show: numbered });
});

test("a minus counts from the end", () => {
  expect(parse("a:-50")).toEqual({ path: "a", ranges: [], last: 50, show: numbered });
  expect(parse("a:raw:-5")).toEqual({ path: "a", ranges: [], last: 5, show: "raw" });
  for (const argument of ["a:-5,7", "a:--5", "a:-x"]) expect(parse(argument)).toMatchObject({ path: argument });
});

test("a selector that means nothing is explained", () => {
  expect(parse("a:0")).toBe("Lines are counted from 1; there is no line 0");
  expect(parse("a:5+0")).toBe(":5+0 would be no line at all");
  expect(parse("a:7-9,5-4")).toBe(":5-4 ends before it begins");
});
