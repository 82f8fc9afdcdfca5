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
      path: { type: "string", description: "where" },
      lines: { type: "integer", minimum: 1, maximum: 9 },
      mode: { type: "string", enum: ["fast", "safe"] },
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: { old: { type: "string" }, all: { type: "boolean" } },
          required: ["old"],
          additionalProperties: false,
        },
      },
    },
    required: ["path", "edits"],
    additionalProperties: false,
  });
});

test("valid arguments come through typed; what is no argument is named, a remark on the call is passed over", () => {
  const given = { path: "a", lines: null, edits: [{ old: "x", all: true }], description: "why" };
  expect(input.safeParse(given)).toEqual({ success: true, data: { path: "a", edits: [{ old: "x", all: true }] } });
  expect(input.safeParse({ ...given, lnies: 3, extra: 1 })).toMatchObject({
    error: {
      issues: [
        { path: ["lnies"], message: "no such argument (did you mean lines?); known: path, lines, mode, edits" },
        { path: ["extra"], message: "no such argument; known: path, lines, mode, edits" },
      ],
    },
  });
});

test("a value of another type is converted where it is unambiguous", () => {
  const checked = input.safeParse({ path: 7, lines: "3", edits: '[{"old":"x","all":"false"}]' });
  expect(checked).toEqual({ success: true, data: { path: "7", lines: 3, edits: [{ old: "x", all: false }] } });
  expect(input.safeParse('{"path":"a","edits":{"old":"x"}}')).toEqual({
    success: true,
    data: { path: "a", edits: [{ old: "x" }] },
  });
  expect(s.array(s.string()).safeParse("one")).toEqual({ success: true, data: ["one"] });
  for (const wrong of ["3x", "", "1e3", "0x10"]) expect(s.number().safeParse(wrong).success).toBe(false);
});

test("every fault is told with its place and what was expected", () => {
  const checked = input.safeParse({
    path: "",
    lines: 1.5,
    mode: "slow",
    edits: [{ old: "x" }, { old: ["7"], all: "yes" }],
  });
  expect(
    checked.success ? [] : checked.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`),
  ).toEqual([
    "path: must not be empty",
    "lines: expected a whole number, received 1.5",
    'mode: expected one of "fast", "safe", received "slow"',
    "edits.1.old: expected text, received a list",
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
  expect(either.safeParse({ c: [] })).toMatchObject({ error: { issues: [{ path: ["c"] }] } });
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
