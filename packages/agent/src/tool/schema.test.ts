import { expect, test } from "bun:test";
import * as s from "./schema.ts";

const input = s.object({
  path: s.string().min(1).describe("where"),
  lines: s.int().min(1).max(9).optional(),
  mode: s.oneOf(["fast", "safe"]).optional(),
  edits: s.array(s.object({ old: s.string(), all: s.boolean().optional() })).min(1),
});

test("the wire is told what the check demands", () => {
  expect(input.json).toEqual({
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "where" },
      lines: { type: "integer", minimum: 1, maximum: 9 },
      mode: { type: "string", enum: ["fast", "safe"] },
      edits: {
        type: "array",
        minItems: 1,
        items: { type: "object", properties: { old: { type: "string" }, all: { type: "boolean" } }, required: ["old"] },
      },
    },
    required: ["path", "edits"],
  });
});

test("valid arguments come through typed, without what nobody asked for", () => {
  const checked = input.safeParse({ path: "a", lines: null, edits: [{ old: "x", all: true }], extra: 1 });
  expect(checked).toEqual({ success: true, data: { path: "a", edits: [{ old: "x", all: true }] } });
});

test("every fault is told with its place and what was expected", () => {
  const checked = input.safeParse({
    path: "",
    lines: 1.5,
    mode: "slow",
    edits: [{ old: "x" }, { old: 7, all: "yes" }],
  });
  expect(
    checked.success ? [] : checked.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`),
  ).toEqual([
    "path: must not be empty",
    "lines: expected a whole number, received 1.5",
    'mode: expected one of "fast", "safe", received "slow"',
    "edits.1.old: expected text, received 7",
    'edits.1.all: expected true or false, received "yes"',
  ]);
  expect(input.safeParse("text")).toEqual({
    success: false,
    error: { issues: [{ path: [], message: 'expected an object, received "text"' }] },
  });
});

test("a choice of shapes tells the faults of the closest one", () => {
  const either = s.union([s.object({ a: s.string(), b: s.string() }), s.object({ c: s.string() })]);
  expect(either.safeParse({ c: "x" })).toEqual({ success: true, data: { c: "x" } });
  expect(either.safeParse({ c: 1 })).toMatchObject({ error: { issues: [{ path: ["c"] }] } });
});

test("a description or a bound makes a copy: the schema it was made from stays as it was", () => {
  const base = s.string();
  base.describe("x").min(3).optional();
  expect(base.json).toEqual({ type: "string" });
  expect(base.safeParse("").success).toBe(true);
});

test("records, free values, patterns and own rules are checked too", () => {
  const env = s.record(s.string().regex(/^\w+$/)).refine((value) => Object.keys(value).length < 3, "too many");
  expect(env.safeParse({ a: "b" })).toEqual({ success: true, data: { a: "b" } });
  expect(env.safeParse({ a: "-" })).toMatchObject({ error: { issues: [{ path: ["a"] }] } });
  expect(env.safeParse({ a: "1", b: "1", c: "1" })).toMatchObject({ error: { issues: [{ message: "too many" }] } });
  expect(s.unknown().safeParse(undefined).success).toBe(true);
});

test("a name from the language's own objects is no argument", () => {
  const odd = s.object({ toString: s.string().optional() } as unknown as { given: s.Optional<string> });
  expect(odd.safeParse({})).toEqual({ success: true, data: {} });
});
