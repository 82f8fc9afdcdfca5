import { expect, test } from "bun:test";
import { extract } from "./extract.ts";

test("ways into a JSON value", () => {
  const value = { a: { b: [{ c: 1 }] }, "odd key": 2 };
  expect([extract(value, "a.b[0].c"), extract(value, '["odd key"]'), extract(value, "")]).toMatchObject([
    { value: 1 },
    { value: 2 },
    { value },
  ]);
  for (const way of ["a.b[1]", "toString", "a..b", "a[", "[x]"]) expect(extract(value, way).ok).toBe(false);
});
