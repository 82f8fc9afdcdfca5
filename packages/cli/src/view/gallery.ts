import { type Data, type Kind, type Outcome, type Question, resultFields } from "@pith/agent";
import type { Story } from "@pith/tui";
import { callRow } from "./call.ts";
import type { Canvas } from "./canvas.ts";
import { askRows } from "./question/ask.ts";
import { howToReply } from "./question/reply.ts";
import { resultBrief, resultRows } from "./view.ts";

const evil = "\u001b]0;owned\u0007\u202egnp.exe";
const long = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");
const patch = "@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n";
const file = { path: "src/a.ts", change: "modified" as const, added: 1, removed: 1, patch };
const run = { command: "npm test", cwd: "/work", durationMs: 1234 };
const task = (content: string, status: "pending" | "in_progress" | "completed" | "abandoned") => ({ content, status });
const planned = "local://plan.md";
const asked = { question: "Which colour?", options: ["red", "blue"], multi: false };

/** Results of every kind, in all their states. */
const delegated = {
  mode: "explore",
  title: `Find the parser ${evil}`,
  description: "in all packages",
  calls: [
    { tool: "search", about: "parse(", state: "done" },
    { tool: "read", about: evil, state: "running" },
  ],
  callCount: 9,
  tokens: 1200,
  cost: 0,
} satisfies Omit<Data["task"], "state">;

const states: { readonly [K in Kind]?: Readonly<Record<string, Omit<Outcome<K>, "kind">>> } = {
  prose: {
    done: { data: {}, text: "All is well." },
    failed: { data: {}, text: "There is no such file.", failed: true },
    long: { data: {}, text: long(40) },
    hostile: { data: {}, text: `Said ${evil}` },
  },
  page: {
    part: { data: { path: "src/a.ts", from: 1, to: 3, totalLines: 40, bytes: 900 }, text: long(3) },
    summary: {
      data: { path: "src/a.ts", summary: { lines: 40, elidedSpans: 2, elidedLines: 30 } },
      text: "function a() { … }",
    },
  },
  listing: {
    some: { data: { path: "src", count: 2, files: ["a.ts", "b.ts"] }, text: "a.ts\nb.ts" },
    none: { data: { path: "src", count: 0 }, text: "Nothing found." },
  },
  matches: {
    some: {
      data: { pattern: "sum", scopePath: "src", matchCount: 2, fileCount: 1, files: ["a.ts"] },
      text: "a.ts\n 1:sum\n 2:sum",
    },
    cut: {
      data: { pattern: "e", scopePath: ".", matchCount: 200, fileCount: 20, files: [], truncated: true },
      text: long(30),
    },
  },
  diff: {
    modified: { data: { files: [file] }, text: "" },
    added: { data: { files: [{ ...file, change: "added", patch: "@@ -0,0 +1 @@\n+new\n" }] }, text: "" },
    moved: { data: { files: [{ ...file, change: "moved", from: "src/old.ts" }] }, text: "" },
    failed: { data: { files: [] }, text: "The text was not found; nothing was changed.", failed: true },
    hostile: { data: { files: [{ ...file, path: evil }] }, text: "" },
  },
  run: {
    done: { data: { ...run, exitCode: 0 }, text: "3 passed\n" },
    failed: { data: { ...run, exitCode: 1 }, text: "1 failed\n", failed: true },
    "timed out": { data: { ...run, timedOut: true }, text: long(30), failed: true },
    background: { data: { ...run, job: "bg_1" }, text: "It goes on in the background as bg_1." },
  },
  table: { some: { data: { columns: ["id", "name"], rows: [["1", "one"], ["2", evil]] }, text: "" } },
  todo: {
    some: {
      data: {
        storage: "session",
        phases: [{ name: "Build", tasks: [
          task("parser", "completed"), task("printer", "in_progress"), task("docs", "pending"),
          task("logo", "abandoned"),
        ] }],
      },
      text: "",
    },
    none: { data: { storage: "session", phases: [] }, text: "There are no tasks." },
  },
  ask: {
    chosen: { data: { ...asked, selectedOptions: ["blue"] }, text: "User selected: blue" },
    words: { data: { ...asked, selectedOptions: [], customInput: "green" }, text: "User provided custom input: green" },
    several: {
      data: { results: [
        { id: "a", ...asked, selectedOptions: ["red"] },
        { id: "b", ...asked, multi: true, selectedOptions: ["blue", "red"] },
      ] },
      text: "",
    },
  },
  tools: {
    some: {
      data: {
        tools: [{ name: "weather", label: evil, description: "Tells the weather.", score: 1.5 }],
        total_tools: 12,
        activated_tools: ["weather"],
      } as never,
      text: "",
    },
  },
  jobs: {
    some: {
      data: { cancelled: [], jobs: [
        { id: "bg_1", type: "bash", status: "running", label: "npm run watch", durationMs: 90_000 },
        { id: "bg_2", type: "bash", status: "completed", label: evil, durationMs: 1200 },
      ] },
      text: "",
    },
  },
  task: {
    waiting: { data: { ...delegated, state: "waiting", calls: [], callCount: 0 }, text: "" },
    running: { data: { ...delegated, state: "running", thinking: `Where is it? ${evil}` }, text: "" },
    done: { data: { ...delegated, state: "done" }, text: `It stands at src/parse.ts:12.\n${evil}` },
    limit: { data: { ...delegated, state: "limit" }, text: "The sub-agent did not come to its end." },
  },
  plan: {
    proposed: { data: { plan: "# Mend the sum\n\n1. read it", path: planned, state: "proposed" }, text: "" },
    approved: { data: { plan: "# Mend the sum", path: planned, state: "approved" }, text: "" },
  },
}; // biome-ignore format: a table

const canvasOf = ({ theme, columns }: { theme: Canvas["theme"]; columns: number }): Canvas => ({
  theme,
  columns,
  height: 10,
});

const resultStories = Object.entries(states).map(
  ([kind, shown]): Story => ({
    name: `view ${kind}`,
    about: Object.keys(shown).join(", "),
    rows: (stage) =>
      Object.entries(shown).flatMap(([state, outcome]) => {
        const fields = resultFields({ kind, ...outcome } as Outcome);
        const head = stage.theme.paint("dim", `${state}: ${resultBrief(fields)}`);
        return [head, ...resultRows(fields, canvasOf(stage)).map((row) => `  ${row}`)];
      }),
  }),
);

const questions: readonly Question[] = [
  { id: "q", agent: "main", form: "confirm", text: "Go on?" },
  { id: "q", agent: "main", form: "choose", text: "Which colour?", recommended: "2", series: { at: 0, of: 2 },
    options: [{ id: "1", label: "red" }, { id: "2", label: "blue" }, { id: "other", label: "Other (type your own)" }] },
  { id: "q", agent: "main", form: "choose", multi: true, chosen: ["1"], text: "Which sizes?",
    options: [{ id: "1", label: "s" }, { id: "2", label: evil }] },
  { id: "q", agent: "main", form: "line", text: "Which name?" },
]; // biome-ignore format: a table

/** Examples of calls, results and questions. */
export const viewExamples: readonly Story[] = [
  {
    name: "call",
    about: "a call in one row",
    rows: (stage) =>
      [
        { name: "bash", arguments: { command: "npm test\nnpm run lint" } },
        { name: "ask", arguments: { questions: [{ question: "Which colour?" }] } },
        { name: "todo", arguments: { ops: [{ op: "done", task: "parser" }] } },
        { name: evil, arguments: { path: evil } },
      ].map((call) => callRow({ type: "toolCall", id: "c", ...call }, canvasOf(stage))),
  },
  ...resultStories,
  {
    name: "questions",
    about: "what a person is asked, in words",
    rows: (stage) =>
      questions.flatMap((question) => [
        ...askRows(question).map((row) => `  ${row}`),
        stage.theme.paint("warn", `${question.text}${howToReply(question)}`),
      ]),
  },
];
