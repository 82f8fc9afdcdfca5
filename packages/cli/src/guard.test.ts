import { expect, test } from "bun:test";
import { runtimeFault } from "./guard.ts";

test("this runtime is fit", () => expect(runtimeFault({ width: Bun.stringWidth })).toBeUndefined());

test("a runtime that counts escape sequences as letters is refused with what to do", () => {
  expect(runtimeFault({ width: (text) => text.length })).toContain("bin/pith");
});

test("another runtime is refused with what to do", () => expect(runtimeFault({ width: undefined })).toContain("Bun"));
