import { expect, test } from "bun:test";
import { type SaidRecord, withTrueNames } from "./names.ts";

const recordOf = (text: string): SaidRecord => ({
  text,
  lacks: (names) => new Set([...names].filter((name) => !text.includes(name))),
});
const compared = (summary: string, text: string) => withTrueNames(summary, recordOf(text));

const record = [
  "[user] fix packages/agent/src/session/context.ts and tell https://example.com/issues/12",
  '→ edit(path: "packages/agent/src/session/context.ts")',
  "commit 3f2a9c1b7d0e renamed readEntries to readRows in src/rows.ts and src/row.ts",
].join("\n");
const told = (text: string) => compared(text, record);

test("a name that is a slip away from exactly one of the record becomes that one", () => {
  expect(told("Changed packages/agent/src/sesion/context.ts.")).toEqual({
    summary: "Changed packages/agent/src/session/context.ts.",
    corrected: [{ from: "packages/agent/src/sesion/context.ts", to: "packages/agent/src/session/context.ts" }],
  });
  expect(told("`readEntrys` is gone").summary).toBe("`readEntries` is gone");
  expect(told("see https://example.com/issue/12 there").summary).toBe("see https://example.com/issues/12 there");
  expect(told("at 3f2a9c1b7d0f").summary).toBe("at 3f2a9c1b7d0e");
});

test("a name that is near several, or none, stays and is marked", () => {
  expect(told("Wrote src/rowz.ts").summary).toBe("Wrote src/rowz.ts (not in the record)");
  expect(told("Next: write `docs/plan.md`, then test.").summary).toBe(
    "Next: write `docs/plan.md` (not in the record), then test.",
  );
  expect(told("Next: write docs/plan.md, then docs/plan.md").corrected).toEqual([{ from: "docs/plan.md" }]);
});

test("names in the record, ordinary words and code stay unchanged", () => {
  for (const text of [
    "Changed packages/agent/src/session/context.ts, see https://example.com/issues/12.",
    "Input/output and either/or are words, e.g. these; version 1.2.3 and Node.js too.",
    "It took 1234567 ms and/or more.",
    "```\nnew/file.ts\n```",
    '`rows` and "row"',
  ])
    expect(told(text)).toEqual({ summary: text, corrected: [] });
});

test("a large record is searched in no time", () => {
  const large = Array.from({ length: 40_000 }, (_, at) => `src/module-${at}/file-${at}.ts was read`).join("\n");
  const text = Array.from({ length: 100 }, (_, at) => `src/module-${at}/fil-${at}.ts`).join("\n");
  const began = performance.now();
  expect(compared(text, large).summary).toContain("src/module-7/file-7.ts");
  expect(performance.now() - began).toBeLessThan(3000);
});

test("a summary of nothing but wrong names holds nobody up", () => {
  const paths = Array.from({ length: 60_000 }, (_, at) => `packages/part${at % 97}/src/module${at}/file${at}.ts`);
  const text = Array.from({ length: 300 }, (_, at) => `packages/part${at % 97}/src/module${at}/fixe${at}x.ts`).join(
    "\n",
  );
  const began = performance.now();
  expect(compared(text, paths.join("\n")).corrected.length).toBe(300);
  expect(performance.now() - began).toBeLessThan(4000);
});

test("a path from a root needs no extension to be a name, and letters without end cost nothing", () => {
  const known = "[user] never touch /etc/shadow, run ./bin/check-all";
  expect(compared("Left /etc/shadov alone; ./bin/check-alk passed.", known).summary).toBe(
    "Left /etc/shadow alone; ./bin/check-all passed.",
  );
  expect(compared("Read /opt/nothing/here.", known).corrected).toEqual([{ from: "/opt/nothing/here" }]);
  const began = performance.now();
  compared("@".repeat(60_000) + "+".repeat(60_000), known);
  expect(performance.now() - began).toBeLessThan(1000);
});
