import { expect, test } from "bun:test";
import type { Entry } from "../../session/entry.ts";
import { answered, placed, resulted, said } from "../../test/entries.ts";
import { withTrueNames } from "./names.ts";
import { saidIn } from "./said.ts";

const lie = "src/invented.ts";
const summedUp = (summary: string, details?: object): Entry =>
  placed({ type: "compaction", summary, firstKeptEntryId: "", tokensBefore: 0, details });
const told = (summary: string, entries: readonly Entry[], earlier: readonly Entry[] = []) =>
  withTrueNames(summary, saidIn(entries, { earlier: () => earlier })).summary;
const marked = `Wrote ${lie} (not in the record).`;

test("a name that stands only in an earlier summary, marked or not, is not in the record", () => {
  for (const summary of [`Wrote ${lie}.`, marked, `\`\`\`\n${lie}\n\`\`\``, `It is about ${lie.toUpperCase()}`])
    expect(told(`Wrote ${lie}.`, [summedUp(summary), said("go on")])).toBe(marked);
  expect(told(`Wrote ${lie}.`, [summedUp("x", { corrected: [{ from: lie }] }), said("go on")])).toBe(marked);
});

test("a marked name stays one when only the model, a failed call or a look at the record repeats it", () => {
  const path = [
    summedUp(marked),
    answered(`I read ${lie}.`, ["1", "read", { path: lie }]),
    resulted("1", "read", `${lie} does not exist`, undefined, true),
    answered("", ["2", "read", { path: "history://session?q=wrote" }]),
    resulted("2", "read", `[history://session?q=wrote]\nWrote ${lie}`),
    placed({ type: "custom", customType: "pith.memory", data: { decided: [`write ${lie}`] } }),
  ];
  expect(told(`Wrote ${lie}.`, path)).toBe(marked);
  expect(saidIn(path).doubted).toEqual(new Set([lie]));
});

test("a planned name is true once a person said it or a tool wrote it", () => {
  for (const entry of [said(`yes, ${lie}`), resulted("1", "write", `wrote ${lie}`)])
    expect(told(`Wrote ${lie}.`, [summedUp(marked), entry])).toBe(`Wrote ${lie}.`);
});

test("a name that was said before the last summary is true", () => {
  const earlier = [answered("Changed src/parser.ts."), said("look at src/lexer.ts")];
  const text = "Changed src/parser.ts, read src/lexer.ts.";
  expect(told(text, [summedUp(text), said("go on")], earlier)).toBe(text);
  expect(told(text, [summedUp(text), said("go on")], earlier.slice(1))).toContain("src/parser.ts (not in the record)");
});

test("a document keeps the names that were found when it was written, and doubts those that were not", () => {
  const content = `Changed \`src/parser.ts\`. ${marked}\n\`\`\`\nsrc/fenced.ts\n\`\`\``;
  const path = [placed({ type: "custom_message", customType: "handoff", content, display: true }), answered(lie)];
  expect(told(`Changed src/parser.ts and ${lie}; next src/fenced.ts.`, path)).toBe(
    `Changed src/parser.ts and ${lie} (not in the record); next src/fenced.ts (not in the record).`,
  );
  const branch = placed({ type: "branch_summary", fromId: "", summary: content });
  expect(told(`Changed src/parser.ts and ${lie}.`, [branch])).toContain(`${lie} (not in the record)`);
  expect(told("Changed src/parser.ts.", [branch])).toBe("Changed src/parser.ts.");
});

test("examples in what tools say of themselves put no name right, and rules of the project make one true", () => {
  const system = ["Never touch docs/plan.md."];
  const data = { system, tools: [{ name: "read", description: "read(path: src/a.ts)" }] };
  const path = [placed({ type: "custom", customType: "pith.prompt", data }), said("go on")];
  expect(told("Next: src/api.ts, src/db.ts; docs/plan.md stays.", path)).toBe(
    "Next: src/api.ts (not in the record), src/db.ts (not in the record); docs/plan.md stays.",
  );
});
