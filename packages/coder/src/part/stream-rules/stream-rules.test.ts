import { expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import type { Event } from "@pith/agent";
import { type Scratch, scratch } from "@pith/kit/test";
import type { Values } from "../../setting/schema.ts";
import { coderIn, houseIn, noticesOf, resultsOf, scriptIn, talkIn } from "../../test/open.ts";

const ruleFile = (head: string, text = "Never do that.") => `---\n${head}\n---\n${text}\n`;

/** A conversation with one rule, `mine`, in which the model says these things. */
async function talk(dir: Scratch, head: string, turns: readonly object[], set: Values = {}) {
  dir.write({ "work/.pith/rules/mine.md": ruleFile(head) });
  const model = scriptIn(
    dir,
    turns.map((turn) => ({ chunkSize: 8, chunkDelayMs: 1, ...turn })),
  );
  const opened = await talkIn(await houseIn(dir, set), { model });
  await opened.coder.send({ text: "go" });
  return opened;
}

const injections = (entries: readonly { type: string }[]) =>
  entries.flatMap((entry) =>
    entry.type === "ttsr_injection" ? [entry as unknown as { injectedRules: string[] }] : [],
  );
const said = (events: readonly Event[]): string =>
  events
    .flatMap((event) => (event.type === "delta" ? event.deltas : []))
    .map((delta) => (delta.type === "text" ? delta.delta : ""))
    .join("");

test("an answer that breaks a rule is interrupted and dropped, and the model is told why", async () => {
  using dir = scratch();
  const { requests, events, coder } = await talk(dir, "condition: forbidden", [
    { text: "It is a forbidden fruit, and that goes on for a long while." },
    { text: "Sorry." },
  ]);
  expect(said(events)).toStartWith("It is a forbidden");
  expect(said(events)).not.toContain("goes on");
  expect(requests).toHaveLength(2);
  const last = JSON.stringify(requests[1]?.messages);
  expect(last).toContain("system-interrupt reason=");
  expect(last).toContain("Never do that.");
  expect(last).not.toContain("It is a");
  const path = coder.path();
  const note = path.find((entry) => entry.type === "custom_message" && entry.customType === "ttsr-injection");
  expect(note).toMatchObject({ display: false, details: { rules: ["mine"] } });
  expect(injections(path)).toMatchObject([{ injectedRules: ["mine"] }]);
  expect(path.some((entry) => entry.type === "custom" && entry.customType === "pith.spent")).toBe(true);
  expect(events).toContainEqual(expect.objectContaining({ type: "reminded", how: "stopped" }));
});

test("with contextMode keep the interrupted answer stays before the reminder", async () => {
  using dir = scratch();
  const { requests } = await talk(
    dir,
    "condition: forbidden",
    [{ text: "It is a forbidden fruit, and on." }, { text: "Sorry." }],
    { "ttsr.contextMode": "keep" },
  );
  expect(JSON.stringify(requests[1]?.messages)).toContain("It is a");
});

test("a rule is told once; after a gap again when that is wanted; and not again after a resume", async () => {
  using dir = scratch();
  const bad = { text: "a forbidden thing" };
  const once = await talk(dir, "condition: forbidden", [bad, bad]);
  expect(once.requests).toHaveLength(2);
  const { file } = once.coder;
  await once.coder.close();
  const again = await coderIn(dir, [bad], { session: { open: "file", path: file as string } });
  await again.send({ text: "more" });
  expect(again.events.some((event) => event.type === "reminded")).toBe(false);
  await again.close();
  using other = scratch();
  const gap = await talk(other, "condition: forbidden", [bad, bad, bad, { text: "fine" }], {
    "ttsr.repeatMode": "after-gap",
    "ttsr.repeatGap": 1,
  });
  // The answer after the stopped one comes within the gap; the one after that does not.
  expect(gap.requests).toHaveLength(2);
  await gap.coder.send({ text: "more" });
  expect(gap.requests).toHaveLength(4);
});

test("a model that breaks a new rule every time is stopped five times in a turn, then only told", async () => {
  using dir = scratch();
  const names = [..."abcdefg"];
  dir.write(Object.fromEntries(names.map((n) => [`work/.pith/rules/${n}.md`, ruleFile(`condition: bad-${n}-word`)])));
  const { requests, events } = await talk(dir, "condition: never-said", [
    ...names.map((n) => ({ text: `bad-${n}-word` })),
    { text: "fine" },
  ]);
  const how = events.flatMap((event) => (event.type === "reminded" ? [event.how] : []));
  expect(how).toEqual(["stopped", "stopped", "stopped", "stopped", "stopped", "after", "after"]);
  expect(requests).toHaveLength(8);
});

const dialects: [string, Values, object][] = [
  [
    "hashline",
    { "edit.mode": "hashline" },
    { input: "[a.ts]\ninsert head:\n+one();\n+forbidden();\n+two();\n+three();\n" },
  ],
  [
    "replace",
    { "edit.mode": "replace" },
    { path: "a.ts", edits: [{ oldText: "old", newText: "one();\nforbidden();\ntwo();\nthree();" }] },
  ],
  [
    "patch",
    { "edit.mode": "patch" },
    { path: "a.ts", diff: "@@ -1 +1,4 @@\n-old\n+one();\n+forbidden();\n+two();\n+three();\n" },
  ],
  [
    "apply_patch",
    { "edit.mode": "apply_patch" },
    { input: "*** Begin Patch\n*** Add File: b.ts\n+one();\n+forbidden();\n+two();\n+three();\n*** End Patch\n" },
  ],
];

test.each([
  ["write", {}, { path: "a.ts", content: "one();\nforbidden();\ntwo();\nthree();\n" }] as (typeof dialects)[0],
  ...dialects,
])(
  "%s: a call that would write what is forbidden is stopped before it is whole, and nothing is written",
  async (dialect, set, input) => {
    using dir = scratch();
    dir.write({ "work/a.ts": "old\n" });
    const tool = dialect === "write" ? "write" : "edit";
    const { requests, events, coder } = await talk(
      dir,
      `condition: ^\\s*forbidden\\(|forbidden\\(\\)\nscope: tool:${tool}(*.ts)`,
      [{ calls: [{ tool, input }] }, { text: "Sorry." }],
      set,
    );
    expect(requests).toHaveLength(2);
    const args = events
      .flatMap((event) => (event.type === "delta" ? event.deltas : []))
      .map((delta) => (delta.type === "args" ? delta.delta : ""))
      .join("");
    expect(args).toContain("forbidden(");
    expect(args).not.toContain("three");
    expect(resultsOf(coder)).toEqual([]);
    expect(readFileSync(dir.at("work/a.ts"), "utf8")).toBe("old\n");
    expect(existsSync(dir.at("work/b.ts"))).toBe(false);
  },
);

test("a rule for some files is silent for others, and one for tools is silent for words", async () => {
  using dir = scratch();
  const { requests, events } = await talk(dir, 'condition: forbidden\nglobs: ["*.ts"]', [
    { text: "forbidden", calls: [{ tool: "write", input: { path: "a.md", content: "forbidden" } }] },
    { calls: [{ tool: "write", input: { path: "a.ts", content: "forbidden" } }] },
    { text: "Sorry." },
  ]);
  expect(requests).toHaveLength(3);
  expect(existsSync(dir.at("work/a.md"))).toBe(true);
  expect(existsSync(dir.at("work/a.ts"))).toBe(false);
  expect(events.filter((event) => event.type === "reminded")).toHaveLength(1);
});

test("a rule that never interrupts puts its reminder before one result, and leaves the result as it was", async () => {
  using dir = scratch();
  dir.write({
    "work/.pith/rules/other.md": ruleFile("condition: forbidden\nscope: tool\ninterruptMode: never", "Nor this."),
  });
  const write = (path: string) => ({ tool: "write", input: { path, content: "forbidden" } });
  const { coder, requests, events } = await talk(dir, "condition: forbidden\nscope: tool\ninterruptMode: never", [
    { calls: [write("a.txt"), write("b.txt")] },
    { text: "Done." },
  ]);
  expect(requests).toHaveLength(2);
  const results = coder
    .path()
    .flatMap((entry) => (entry.type === "message" && entry.message.role === "toolResult" ? [entry.message] : []));
  expect(results.map(({ details }) => details?.reminders)).toEqual([1, undefined]);
  const [first, second] = results[0]?.content ?? [];
  expect(first?.type === "text" && first.text).toMatch(
    /^<system-reminder [\s\S]*r>\n\n<system-reminder reason="rule_v/,
  );
  expect(second?.type === "text" && second.text).not.toContain("system-reminder");
  expect(injections(coder.path()).at(-1)?.injectedRules.toSorted()).toEqual(["mine", "other"]);
  expect(events.some((event) => event.type === "reminded" && event.how === "result")).toBe(true);
});

test("a rule for text that never interrupts is told after the answer", async () => {
  using dir = scratch();
  const { requests, events } = await talk(dir, "condition: forbidden\ninterruptMode: never", [
    { text: "a forbidden thing, and on to the end" },
    { text: "Sorry." },
  ]);
  expect(said(events)).toContain("on to the end");
  expect(requests).toHaveLength(2);
  expect(JSON.stringify(requests[1]?.messages)).toContain("on to the end");
  expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain("system-reminder");
});

test("a rule that text breaks before the first call is told once, and built-in rules watch that call", async () => {
  using dir = scratch();
  const content = "forbidden();\ntry { a(); } catch (e) {}\n";
  const { events } = await talk(dir, "condition: forbidden\ninterruptMode: never", [
    { text: "It is forbidden.", calls: [{ tool: "write", input: { path: "a.ts", content } }] },
    { text: "Sorry." },
  ]);
  const told = events.flatMap((event) => (event.type === "reminded" ? event.rules.map(({ name }) => name) : []));
  expect(told.toSorted()).toEqual(["mine", "swallowed-error"]);
});

test("a failed answer leaves its rule to be told the next time", async () => {
  using dir = scratch();
  const { requests, coder } = await talk(
    dir,
    "condition: forbidden\nscope: tool\ninterruptMode: never",
    [
      { calls: [{ tool: "write", input: { path: "a", content: "forbidden" } }], cut: 30 },
      { calls: [{ tool: "write", input: { path: "a", content: "forbidden" } }] },
      { text: "Done." },
    ],
    { "retry.baseDelayMs": 1 },
  );
  expect(requests.length).toBeGreaterThan(2);
  expect(injections(coder.path())).toHaveLength(1);
  expect(resultsOf(coder)[0]).toContain("system-reminder");
});

test("with stream rules off a rule is in the prompt like others; disabled by name it is not told at all", async () => {
  using dir = scratch();
  const off = await talk(dir, "condition: forbidden\nalwaysApply: true", [{ text: "forbidden" }], {
    "ttsr.enabled": false,
  });
  expect(off.events.some((event) => event.type === "reminded")).toBe(false);
  expect(off.requests[0]?.system.join()).toContain("rule://mine");
  using other = scratch();
  const gone = await talk(other, "condition: forbidden", [{ text: "forbidden" }], { "ttsr.disabledRules": ["mine"] });
  expect(gone.events.some((event) => event.type === "reminded")).toBe(false);
  expect(gone.requests[0]?.system.join()).not.toContain("mine");
});

test("a broken condition is told with its file and line, and the rest of the rule counts", async () => {
  using dir = scratch();
  const { events, requests } = await talk(dir, 'condition:\n  - "a(?=b)"\n  - forbidden', [
    { text: "forbidden" },
    { text: "ok" },
  ]);
  expect(noticesOf(events).join("\n")).toMatch(/mine\.md:3: condition "a\(\?=b\)": it looks ahead/);
  expect(requests).toHaveLength(2);
});

test("a pattern that is no code of the rule's files is reported once", async () => {
  using dir = scratch();
  const { events } = await talk(dir, 'astCondition: "forbidden("\nglobs: ["*.ts"]', [
    { calls: [{ tool: "write", input: { path: "a.ts", content: "forbidden();\nforbidden(1);\n" } }] },
    { text: "ok" },
  ]);
  expect(
    noticesOf(events).filter((text) => text.includes("mine.md: astCondition: `forbidden(` does not parse")),
  ).toHaveLength(1);
});

test("a call that breaks a rule by other means than its arguments is refused, with the reminder", async () => {
  using dir = scratch();
  // Broken JSON is mended only when all of it is there.
  const { coder } = await talk(dir, "condition: forbidden\nscope: tool:write", [
    {
      calls: [
        {
          tool: "write",
          rawInput: `{"arguments": ${JSON.stringify(JSON.stringify({ path: "a", content: "forbidden" }))}}`,
        },
      ],
    },
    { text: "Sorry." },
  ]);
  expect(resultsOf(coder)[0]).toContain("Never do that.");
  expect(existsSync(dir.at("work/a"))).toBe(false);
});

test("rules of a project that match everything do not fill the conversation", async () => {
  using dir = scratch();
  for (let at = 0; at < 10; at++)
    dir.write({ [`work/.pith/rules/r${at}.md`]: ruleFile("condition: hello\ninterruptMode: never", "y".repeat(5000)) });
  const turns = Array.from({ length: 12 }, (_, at) => ({
    text: `hello ${at}`,
    calls: [{ tool: "bash", input: { command: `echo ${at}` } }],
  }));
  const { requests } = await talk(dir, "condition: hello\ninterruptMode: never", [...turns, { text: "Done." }], {
    "ttsr.repeatMode": "after-gap",
    "ttsr.repeatGap": 1,
  });
  const all = JSON.stringify(requests.at(-1)?.messages);
  expect(all).toContain("(all of it: rule://r9)");
  expect(all.split("<system-reminder reason=").length - 1).toBeLessThanOrEqual(20);
  expect(all.match(/y+/g)?.join("").length).toBeLessThan(50_000);
});

test("a rule for some files holds under all names that links give them", async () => {
  using dir = scratch();
  dir.write({ "work/a.ts": "old\n" });
  symlinkSync("a.ts", dir.at("work/a.txt"));
  await talk(dir, "condition: forbidden\nscope: tool:write(*.ts)", [
    { calls: [{ tool: "read", input: { path: "a.txt" } }] },
    { calls: [{ tool: "write", input: { path: "a.txt", content: "forbidden\n" } }] },
    { text: "Sorry." },
  ]);
  expect(readFileSync(dir.at("work/a.ts"), "utf8")).toBe("old\n");
});

const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-old\n+forbidden\n*** End Patch";
const ways: [string, object[]][] = [
  [
    "a diff that names another file",
    [{ path: "a.ts", diff: "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-old\n+forbidden\n" }],
  ],
  ["a row that looks like the head of a diff", [{ path: "a.ts", diff: "@@ -1 +1 @@\n-old\n+++ forbidden\n" }]],
  ["bare rows behind one that looks like a name", [{ input: "[n.ts]\ninsert head:\n[x]\nforbidden\n" }]],
  ["a patch in the shell", [{ command: `apply_patch <<'EOF'\n${patch}\nEOF` }]],
  [
    "a rewrite by patterns",
    [
      { ops: [{ pat: "old", out: "forbidden" }], paths: ["a.ts"] },
      { action: "apply", reason: "fine" },
    ],
  ],
];
const toolOf = (input: object) =>
  "command" in input ? "bash" : "ops" in input ? "ast_edit" : "action" in input ? "resolve" : "edit";

test.each(ways)("text that a call adds to a file is found, written as %s", async (_, inputs) => {
  using dir = scratch();
  dir.write({ "work/a.ts": "old\n" });
  const { coder } = await talk(dir, 'condition: forbidden\nglobs: ["*.ts"]\nscope: tool:edit', [
    ...inputs.map((input) => ({ calls: [{ tool: toolOf(input), input }] })),
    { text: "Sorry." },
  ]);
  expect(resultsOf(coder).at(-1)).toContain("Never do that.");
  expect(readFileSync(dir.at("work/a.ts"), "utf8")).toBe("old\n");
});

test("a match in replaced text is ignored; a rule that never interrupts is told with the result", async () => {
  using dir = scratch();
  dir.write({ "work/a.ts": "forbidden(old);\n", "work/b.ts": "old;\n" });
  const edit = (path: string, out: string) => [
    { calls: [{ tool: "ast_edit", input: { ops: [{ pat: "old", out }], paths: [path] } }] },
    { calls: [{ tool: "resolve", input: { action: "apply", reason: "fine" } }] },
  ];
  const { coder } = await talk(dir, "condition: forbidden\\b\nscope: tool:edit\ninterruptMode: never", [
    ...edit("a.ts", "fresh"),
    ...edit("b.ts", "forbidden"),
    { text: "Done." },
  ]);
  const [, first, , second] = resultsOf(coder);
  expect(first).not.toContain("system-reminder");
  expect(second).toContain("system-reminder");
  expect(readFileSync(dir.at("work/a.ts"), "utf8")).toBe("forbidden(fresh);\n");
});

test("hundreds of rules that are broken at once are told in groups", async () => {
  using dir = scratch();
  for (let at = 0; at < 300; at++) dir.write({ [`work/.pith/rules/r${at}.md`]: ruleFile("condition: '[a-z]'") });
  const { requests } = await talk(
    dir,
    "condition: never-said",
    Array.from({ length: 10 }, () => ({ text: "hello\n" })),
  );
  const all = JSON.stringify(requests.at(-1)?.messages);
  expect(all.split('reason=\\"rule_violation').length - 1).toBeLessThanOrEqual(120);
  expect(all.length).toBeLessThan(100_000);
});
