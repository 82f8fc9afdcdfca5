import { expect, test } from "bun:test";
import { Guard } from "./guard.ts";

test("a question takes no key before it has stood for a while, nor while somebody types", () => {
  let now = 1000;
  const guard = new Guard(() => now);
  guard.stands("a");
  expect(guard.left).toBe(400);
  now += 399;
  expect(guard.left).toBe(1);
  guard.pressed();
  now += 399;
  expect(guard.left).toBe(1);
  now += 1;
  expect(guard.left).toBe(0);
  guard.stands("a");
  expect(guard.left).toBe(0);
  // The next one begins anew.
  guard.stands("b");
  expect(guard.left).toBe(400);
});
