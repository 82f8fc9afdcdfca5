import { expect, test } from "bun:test";
import { conditionalSpreads, interfaceMembers, parseSource } from "./syntax.ts";

test("spreads are counted when they depend on a condition", () => {
  const count = (source: string) => conditionalSpreads(parseSource(source));
  expect(count("f({ ...(a ? { a } : {}), ...(b && { b }) }, [...(c ? [c] : [])]);")).toBe(3);
  expect(count("f({ ...a, ...(a ?? {}), b: c ? 1 : 2 }, ...(d));")).toBe(0);
});

test("members that another module adds to an interface are counted where they are added", () => {
  const source =
    'export interface A { a: 1; b(): void; [key: string]: unknown }\ndeclare module "x" { interface B { c?: 1 } }';
  expect(interfaceMembers(parseSource(source))).toEqual([
    { name: "A", members: 3 },
    { name: "B", members: 1 },
  ]);
});
