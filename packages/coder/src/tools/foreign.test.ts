import { expect, test } from "bun:test";
import { Registry, refusal, schema as s, type Tool } from "@pith/agent";
import { foreignWords } from "./foreign.ts";

function tool(name: string): Tool {
  const own: Tool = { name, about: "", input: s.object({}) as Tool["input"], prepare: () => refusal("not run") };
  return { ...own, foreign: foreignWords(own) };
}
const tools = new Registry(["ask", "run_subagent"].map(tool));

/** The tool and its arguments that a call of another agent means. */
function meant(name: string, written: Record<string, unknown>) {
  const known = tools.known(name, written);
  return [known?.name, known?.foreign?.read(written)];
}

test("a question with headers and descriptions is asked, and a task is given to a sub-agent", () => {
  const options = [{ label: "a", description: "the first" }, { label: "b" }];
  const two = [
    { question: "Which?", header: "Kind", multiSelect: true, options },
    { question: "How?", options: ["x", "y"] },
  ];
  const which = { id: "Kind", question: "Which?", options: [{ label: "a" }, { label: "b" }], multi: true };
  const how = { id: "q2", question: "How?", options: [{ label: "x" }, { label: "y" }] };
  expect(meant("AskUserQuestion", { questions: two })).toEqual(["ask", { input: { questions: [which, how] } }]);
  expect(meant("ask_followup_question", { question: "How?", options: '["x","y"]' })).toEqual([
    "ask",
    { input: { questions: [{ ...how, id: "q1" }] } },
  ]);
  const task = { prompt: "Find it", description: "find it", subagent_type: "Explore", model: "small" };
  for (const name of ["Task", "Agent", "functions.task"])
    expect(meant(name, task)).toEqual([
      "run_subagent",
      { input: { task: "Find it", title: "find it", mode: "explore" } },
    ]);
});
