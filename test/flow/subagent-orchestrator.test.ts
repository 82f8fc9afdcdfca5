// The profile orchestrator through the real program: three tools, a task that is understood first, a review behind it.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const project = {
  "work/AGENTS.md": "Marker of the project.\n",
  "work/sum.js": "module.exports = (a, b) => a - b;\n",
  "home/.pith/config.yml": "profile: orchestrator\n",
};
const intent = (intent: string, needsWrite: boolean) => JSON.stringify({ intent, needsWrite, reasoning: "r" });
const send = (input: object) => ({ calls: [{ tool: "run_subagent", input: { title: "Find the sum", ...input } }] });
const mend = { calls: [{ tool: "write", input: { path: "sum.js", content: "module.exports = (a, b) => a + b;\n" } }] };

function play(dir: Scratch, { turns, classify, child }: { turns: unknown[]; classify: string; child: unknown[] }) {
  dir.write({
    ...project,
    "parent.json": JSON.stringify({ turns, side: { classify } }),
    "child.json": JSON.stringify({ turns: child }),
  });
  const models = ["--model", dir.at("parent.json"), "--explore", dir.at("child.json")];
  return pith(dir, ["-p", "mend the sum", "--approval", "write", "--mode", "json", ...models]);
}

/** Every line of the session and of its sub-agents, by file. */
function records(dir: Scratch): Record<string, { type: string; [key: string]: unknown }[]> {
  const folder = dir.at("home/.pith/sessions");
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".jsonl"));
  const lines = (file: string) => readFileSync(join(folder, file), "utf8").trim().split("\n");
  return Object.fromEntries(
    files.map((file) => [
      file.split("/").length > 2 ? (file.split("/").at(-1) ?? "") : "main",
      lines(file).map((line) => JSON.parse(line)),
    ]),
  );
}

const promptIn = (entries: readonly { type: string; [key: string]: unknown }[] = []) =>
  entries.find(({ customType }) => customType === "pith.prompt")?.data as {
    system: string[];
    tools: { name: string }[];
  };

test("an orchestrator has three tools, its sub-agents are told of the project, its work is reviewed", async () => {
  using dir = scratch();
  const turns = [
    send({ task: "Where is the sum?" }),
    { ...mend, expect: { result: "sum.js:1" } },
    { text: "Mended. [TASK_COMPLETE]" },
    { text: "It holds. [TASK_COMPLETE]" },
  ];
  const child = [
    { when: { system: "YOUR WORK: REVIEW" }, text: "1. sum.js:1: Nothing tests it (8). [TASK_COMPLETE]" },
    { calls: [{ tool: "read", input: { path: "sum.js" } }] },
    { text: "It stands at sum.js:1. [TASK_COMPLETE]" },
  ];
  const { code, out, err } = await play(dir, { turns, classify: intent("modify", true), child });
  expect([code, err]).toEqual([0, ""]);
  expect(readFileSync(dir.at("work/sum.js"), "utf8")).toContain("a + b");
  const { main, "explore.jsonl": explore, "review.jsonl": review } = records(dir);
  const told = promptIn(main);
  expect(told.tools.map(({ name }) => name).toSorted()).toEqual(["bash", "run_subagent", "write"]);
  const system = told.system.join("\n");
  for (const word of ["SCOUT", "EXPLORE", "WRITE", "VERIFY", "The user does not see its report"])
    expect(system).toContain(word);
  expect(system).not.toContain("Marker of the project.");
  for (const record of [explore, review]) {
    const words = promptIn(record).system.join("\n");
    expect(words).toContain("Marker of the project.");
    expect(words).toContain("read-only");
    expect(words).toContain("CODE NAVIGATION STRATEGY");
  }
  expect(JSON.stringify(main)).toContain('"needsWrite":true');
  expect(JSON.stringify(main?.find(({ content }) => String(content).startsWith("A reviewer")))).toContain(
    "Nothing tests it",
  );
  expect(out).toContain("It holds.");
}, 60_000);

test("a question is answered from what a sub-agent found, and nothing is written", async () => {
  using dir = scratch();
  const turns = [{ text: "It subtracts. [TASK_COMPLETE]", expect: { user: "sum.js:1 subtracts" } }];
  const child = [
    { text: "sum.js:1 subtracts. [TASK_COMPLETE]", expect: { system: ["MAP", "TRACE", "CROSS-CUTTING"] } },
  ];
  const { code, err } = await play(dir, { turns, classify: intent("analyze", false), child });
  expect([code, err]).toEqual([0, ""]);
  expect(Object.keys(records(dir)).toSorted()).toEqual(["deep-explore.jsonl", "main"]);
}, 60_000);

test("an orchestrator that never ends is ended after 25 requests", async () => {
  using dir = scratch();
  const turns = Array.from({ length: 40 }, (_, at) => ({
    calls: [{ tool: "bash", input: { command: `echo ${at}` } }],
  }));
  const { code, err } = await play(dir, { turns, classify: intent("mixed", true), child: [{ text: "x" }] });
  expect(code).not.toBe(0);
  expect(err).toContain("25 model requests");
}, 60_000);
