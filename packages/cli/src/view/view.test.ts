import { expect, test } from "bun:test";
import { plainTheme } from "@pith/tui/theme";
import type { Canvas } from "./canvas.ts";
import { resultBrief, resultRows } from "./view.ts";

const canvas: Canvas = { theme: plainTheme, columns: 40, height: 4 };
const resultOf = (details: Record<string, unknown> | undefined, text: string, isError = false) => ({
  content: [{ type: "text" as const, text }],
  isError,
  ...(details ? { details } : {}),
});
const show = (details: Record<string, unknown> | undefined, text = "", isError = false) =>
  resultRows(resultOf(details, text, isError), canvas);
const brief = (details: Record<string, unknown> | undefined, text = "", isError = false) =>
  resultBrief(resultOf(details, text, isError));
const many = Array.from({ length: 9 }, (_, i) => `line ${i + 1}`).join("\n");

test("prose shows its first lines and counts the rest", () => {
  expect(show({ kind: "prose" }, "one\ntwo\n\n")).toEqual(["one", "two"]);
  expect(show({ kind: "prose" }, many)).toEqual(["line 1", "line 2", "line 3", "… 6 more lines"]);
  expect(brief({ kind: "prose" }, "\n  one\ntwo")).toBe("one");
});

test("a page says which part of what was read, not the text", () => {
  const page = { kind: "page", path: "a.ts", from: 1, to: 40, totalLines: 200, bytes: 2048 };
  expect(show(page, many)).toEqual(["a.ts, lines 1-40 of 200, 2KB"]);
  expect(brief(page, many)).toBe("lines 1-40 of 200, 2KB");
  expect(show({ kind: "page", path: "a.ts" }, many)).toEqual(["a.ts"]);
  expect(brief({ kind: "page", path: "a.ts" }, many)).toBe("9 lines");
});

test("a run shows the end of its output and how it ended", () => {
  const run = { kind: "run", command: "x", cwd: "/", durationMs: 1260 };
  expect(show({ ...run, exitCode: 0 }, many)).toEqual([
    "… 6 lines before",
    "line 7",
    "line 8",
    "line 9",
    "exit 0 after 1.3 s",
  ]);
  expect(show({ ...run, exitCode: 2 }, "oh", true)).toEqual(["oh", "exit 2 after 1.3 s"]);
  expect(show({ ...run, timedOut: true }, "", true)).toEqual(["out of time after 1.3 s"]);
  expect(show({ ...run, cancelled: true }, "", true)).toEqual(["cancelled after 1.3 s"]);
  expect(show({ ...run, signal: "SIGSEGV" }, "", true)).toEqual(["ended by SIGSEGV after 1.3 s"]);
  expect(brief({ ...run, exitCode: 1 }, many, true)).toBe("exit 1 after 1.3 s");
  expect(brief({ kind: "run", exitCode: 1 })).toBe("exit 1");
  expect(brief({ ...run, limit: "memory", signal: "SIGKILL" }, "", true)).toBe("ended: memory limit after 1.3 s");
});

test("a command that goes on in the background has not ended", () => {
  const run = { kind: "run", command: "x", cwd: "/", durationMs: 10, job: "job-3" };
  expect(show(run, "It goes on as job-3.")).toEqual(["It goes on as job-3."]);
  expect(brief(run, "It goes on.")).toBe("goes on as job-3");
});

test("matches and listings say how many there are", () => {
  const matches = { kind: "matches", pattern: "x", scopePath: ".", fileCount: 1, matchCount: 2, files: ["a.ts"] };
  expect(show(matches, "a.ts\n1:x")).toEqual(["2 matches in 1 file", "a.ts", "1:x"]);
  expect(brief(matches)).toBe("2 matches in 1 file");
  expect(show({ ...matches, fileCount: 0, matchCount: 0 }, "No matches.")).toEqual(["no matches"]);
  const listing = { kind: "listing", path: "src", count: 2 };
  expect(show(listing, "a\nb")).toEqual(["2 names in src", "a", "b"]);
  expect(brief(listing)).toBe("2 names in src");
});

test("jobs are listed with what became of them", () => {
  const job = (id: string, status: string) => ({ id, type: "bash", status, label: "npm test", durationMs: 1500 });
  const jobs = { kind: "jobs", jobs: [job("1", "running"), job("2", "failed")], cancelled: [] };
  expect(show(jobs, "said")).toEqual(["1 running after 1.5 s: npm test", "2 failed after 1.5 s: npm test", "said"]);
  expect(brief(jobs)).toBe("2 jobs, 1 running");
  expect(brief({ ...jobs, jobs: [job("2", "failed")] })).toBe("1 job");
});

test("a table is aligned by what is seen, and its end is counted", () => {
  const table = (...rows: string[][]) => ({ kind: "table", columns: ["名", "n"], rows });
  const drawn = resultRows(resultOf(table(["日本", "1"], ["a", "22"]), ""), { ...canvas, height: 9 });
  expect(drawn).toEqual([
    "╭──────┬────╮",
    "│ 名   │ n  │",
    "├──────┼────┤",
    "│ 日本 │ 1  │",
    "│ a    │ 22 │",
    "╰──────┴────╯",
  ]);
  const long = table(...Array.from({ length: 100 }, (_, n) => [String(n), "x"]));
  expect(show(long)).toHaveLength(4);
  expect(show(long).at(-1)).toBe("… 101 more lines");
  expect(brief(long)).toBe("100 rows");
});

test("a failed result shows its reason, whatever its kind", () => {
  expect(show({ kind: "diff" }, "not found\nat all", true)).toEqual(["not found", "at all"]);
  expect(brief({ kind: "diff" }, "not found\nat all", true)).toBe("not found");
});

test("data that is not what its kind says, or of no known kind, is shown as text", () => {
  for (const details of [
    { kind: "diff", files: "none" },
    { kind: "diff", files: [null] },
    { kind: "table" },
    { kind: "todo", phases: [{}] },
    { kind: "jobs" },
    { kind: "hologram" },
    { kind: "__proto__" },
    { kind: "constructor" },
    undefined,
  ]) {
    expect(show(details, "text")).toEqual(["text"]);
    expect(brief(details, "text")).toBe("text");
  }
});

// What a tool, a file name or another program's record may hold.
const evil = "\u001b]0;owned\u0007\u001b[31mred\u009b2J\r\nsecond\u202eline\tof 日本語👨‍👩‍👧 \u0000".repeat(3);
const hostile: Record<string, Record<string, unknown>> = {
  prose: {},
  page: { path: evil, from: evil, to: evil, totalLines: evil, bytes: 3 },
  listing: { path: evil, count: 3 },
  matches: { pattern: evil, scopePath: evil, matchCount: 3, fileCount: evil, files: [evil] },
  diff: {
    files: [
      {
        path: evil,
        change: evil,
        from: evil,
        added: evil,
        removed: 2,
        patch: `@@ -1,2 +1,2 @@ ${evil}\n-${evil}\n+${evil}`,
      },
      { path: evil, change: "added", added: 1, removed: 0, patch: evil },
    ],
  },
  run: { command: evil, cwd: "/", durationMs: 3, signal: evil },
  table: { columns: [evil, "n"], rows: [[evil, evil], [], [evil, "1", evil]] },
  todo: {
    phases: [
      {
        name: evil,
        tasks: [
          { content: evil, status: evil },
          { content: evil, status: "completed" },
        ],
      },
    ],
  },
  jobs: { jobs: [{ id: evil, type: "bash", status: evil, label: evil, durationMs: 3 }], cancelled: [] },
};

for (const [kind, data] of Object.entries(hostile)) {
  test(`a ${kind} of strangers is shown and not obeyed, at every width`, () => {
    const result = resultOf({ kind, ...data }, evil);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject here
    const obeyed = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/;
    expect(resultBrief(result)).not.toMatch(obeyed);
    expect(resultBrief(result)).not.toBe("");
    expect(Bun.stringWidth(resultBrief(result))).toBeLessThanOrEqual(80);
    for (const columns of [1, 2, 3, 7, 12, 40, 200]) {
      const rows = resultRows(result, { ...canvas, columns });
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        expect(row).not.toMatch(obeyed);
        expect(Bun.stringWidth(row)).toBeLessThanOrEqual(columns);
      }
    }
  });
}

test("a result of a million lines costs what is seen of it", () => {
  const text = "line\n".repeat(1_000_000);
  const began = performance.now();
  expect(show({ kind: "prose" }, text)).toHaveLength(4);
  expect(show({ kind: "run", command: "x", cwd: "/", durationMs: 1 }, text)).toHaveLength(5);
  expect(performance.now() - began).toBeLessThan(2000);
});

test("tools that were found are told with what they are for and how well they fit, five of them at first", () => {
  const tool = (at: number) => ({ name: `t${at}`, label: "Of use", description: "Does it.", score: 1.23456 });
  const data = { kind: "tools", query: "x", total_tools: 9, activated_tools: ["t0", "t1"], tools: [tool(0), tool(1)] };
  const rows = show(data, "");
  expect(rows[0]).toBe("2 tools of 9: t0, t1");
  expect(rows[1]).toBe("1.235 t0: Of use");
  expect(rows[2]).toBe("  Does it.");
  expect(show({ ...data, tools: [0, 1, 2, 3, 4, 5, 6].map(tool) }, "").at(-1)).toBe("… 2 more tools");
  expect(show({ ...data, tools: [] }, "")).toEqual(["no tool found"]);
});
