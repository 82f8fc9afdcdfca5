import { expect, test } from "bun:test";
import { defined, isRecord, parseJson, recordOf, sumOf, tryOr } from "./value.ts";

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
