import { expect, test } from "bun:test";
import fc from "fast-check";
import { pieced as text } from "../test/text.ts";
import { fit, graphemes, pad, slice, width } from "./width.ts";

test("no cut of a text is wider than was asked for", () => {
  fc.assert(
    fc.property(text, fc.nat(30), fc.nat(30), (value, from, length) => {
      expect(width(slice(value, 0, length))).toBeLessThanOrEqual(length);
      expect(width(slice(value, from, from + length))).toBeLessThanOrEqual(length);
      expect(width(fit(value, length))).toBeLessThanOrEqual(length);
      expect(width(pad(value, length))).toBe(length);
    }),
  );
});

test("families, flags and combined letters are one character of the right width", () => {
  expect(["👨‍👩‍👧", "🇩🇪", "한", "e\u0301", "1️⃣", "x\u00ady"].map(width)).toEqual([2, 2, 2, 1, 2, 3]);
  expect(graphemes("a👨‍👩‍👧e\u0301")).toEqual(["a", "👨‍👩‍👧", "e\u0301"]);
  expect(width("\x1b]66;s=2;ab\x07c")).toBe(5);
  expect(width("\x1b]66;w=3;a\x07")).toBe(3);
});
