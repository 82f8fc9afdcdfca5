import { expect, test } from "bun:test";
import { defined, isRecord, late, parseJson, recordOf, sumOf, tryOr } from "./value.ts";

test("a list and null are no record", () => {
  expect([{}, { a: 1 }].every(isRecord)).toBe(true);
  expect([[], null, undefined, "x", 1].some(isRecord)).toBe(false);
  expect(recordOf(null)).toEqual({});
});

test("an undefined field does not hide one below it", () => {
  const [name, size] = [undefined as string | undefined, 2 as number | undefined];
  expect({ name: "a", size: 1, ...defined({ name, size }) }).toStrictEqual({ name: "a", size: 2 });
  expect(Object.keys(defined({ name, size, empty: null }))).toEqual(["size", "empty"]);
});

test("a call that throws gives the fallback", () => {
  expect(tryOr(() => JSON.parse("{"), "bad")).toBe("bad");
  expect(parseJson("{")).toBeUndefined();
  expect(parseJson("[1]")).toEqual([1]);
  expect(sumOf(new Set([1, 2]), (each) => each * 2)).toBe(6);
});

test("a late function is loaded by its first call, once, and passes on what it is given", () => {
  let loads = 0;
  const sum = late(() => {
    loads++;
    return (a: number, b: number) => a + b;
  });
  expect(loads).toBe(0);
  expect([sum(1, 2), sum(3, 4)]).toEqual([3, 7]);
  expect(loads).toBe(1);
});
