import { expect, test } from "bun:test";
import { nearest } from "./nearest.ts";

const flags = ["--mode", "--model", "--max-time", "--max-turns", "--print"];

test("a slip of the finger finds the flag that was meant", () => {
  expect(nearest("--modle", flags)).toBe("--model");
  expect(nearest("--max-tunrs", flags)).toBe("--max-turns");
  expect(nearest("--PRINT", flags)).toBe("--print");
});

test("an exact word wins over a near one", () => expect(nearest("--mode", flags)).toBe("--mode"));

test("something else entirely gets no suggestion", () => {
  expect(nearest("--frobnicate", flags)).toBeUndefined();
  expect(nearest("x", ["read", "write"])).toBeUndefined();
  expect(nearest("", flags)).toBeUndefined();
});
