// Sub-agents through the real program: what a run with one looks like on every face, and what is left of it.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { full } from "../full.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

const esc = "\u001b";
const task = {
  calls: [
    {
      tool: "run_subagent",
      input: { task: "Where is add?", title: `Find${esc}[31m add`, description: "all of src", mode: "explore" },
    },
  ],
};
const parent = [task, { text: "It is in a.ts.", expect: { result: "a.ts:1" } }];
const child = [
  { thinking: "I look first.", calls: [{ tool: "search", input: { pattern: "add" } }] },
  { text: "add stands at a.ts:1.", expect: { result: "add" } },
];

/** A project with an `add`, and the scripts of both models. */
function project(dir: Scratch, turns: readonly unknown[] = parent, below: readonly unknown[] = child): string[] {
  dir.write({ "work/a.ts": "export const add = 1;\n", "child.json": JSON.stringify({ turns: below }) });
  return [...scripted(dir, ...turns), "--explore", dir.at("child.json")];
}

/** The folder beside the only session. */
function folderIn(dir: Scratch): string {
  const sessions = dir.at("home/.pith/sessions");
  const [bucket = ""] = readdirSync(sessions);
  const file = readdirSync(join(sessions, bucket)).find((name) => name.endsWith(".jsonl")) ?? "";
  return join(sessions, bucket, file.replace(/\.jsonl$/, ""));
}

test("programs hear of a sub-agent as progress of its call, and of nothing it says", async () => {
  using dir = scratch();
  const { code, out } = await pith(dir, ["-p", "where is add?", "--mode", "json", ...project(dir)]);
  expect(code).toBe(0);
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const updates = events.filter(({ type }) => type === "tool_execution_update");
  expect(updates.at(-1).partialResult.details).toMatchObject({
    kind: "task",
    mode: "explore",
    description: "all of src",
    thinking: "I look first.",
    calls: [{ tool: "search", about: "add", state: "done" }],
  });
  // Two answers of the parent, and none of the sub-agent.
  expect(events.filter(({ type, message }) => type === "message_end" && message.role === "assistant")).toHaveLength(2);
  const other = events.filter(({ type }) => !/^tool_execution|^message|^turn_end|^agent_end/.test(type));
  expect(JSON.stringify(other)).not.toContain("I look first.");
  expect(existsSync(join(folderIn(dir), "explore.jsonl"))).toBe(true);
  expect(readFileSync(join(folderIn(dir), "explore.md"), "utf8")).toBe("add stands at a.ts:1.");
});

test("both terminal faces show title, calls and report, live and resumed, and obey nothing in a title", async () => {
  using dir = scratch();
  const model = project(dir);
  const live = terminal(dir, model);
  await live.waits();
  live.type("where is add?\n");
  await live.sees("Sub-agent: Find add — all of src");
  await live.sees("search add");
  await live.sees("add stands at a.ts:1.");
  await live.sees("It is in a.ts.");
  live.type("/quit\n");
  expect(await live.child.exited).toBe(0);
  expect(live.screen()).not.toContain(`${esc}[31m`);
  const again = full(dir, ["-c", ...model]);
  await again.idle();
  for (const words of [
    "Sub-agent: Find add — all of src",
    "search add",
    "thought: I look first.",
    "add stands at a.ts:1.",
  ])
    await again.wrote(words);
  await again.idle();
  expect(await again.leave()).toBe(0);
}, 60_000);
