import { expect, test } from "bun:test";
import type { ToolSpec } from "@pith/llm";
import { plainSettings } from "../test/settings.ts";
import { ownWords, worded } from "./worded.ts";

const spec = (name: string): ToolSpec => ({ name, description: "", parameters: {} });
const all = ["read", "write", "edit", "bash", "search", "find", "run_subagent", "lsp", "ast_grep"];
const say = (profile: "default" | "local" | "orchestrator", tools: readonly string[], more = {}) =>
  ownWords(plainSettings({ profile, ...more }), tools.map(spec)).text;

test("a line that needs something is said only where that is there, a heading only above something", () => {
  const text = "{a, b} both\n# One\n{a} x\n# Two\n{b} y\n# Three\n";
  expect(worded(text, new Set(["a"]))).toBe("# One\nx");
  expect(worded(text, new Set(["a", "b"]))).toBe("both\n# One\nx\n# Two\ny");
  expect(worded("{ not } a mark\n{a}nor this", new Set())).toBe("{ not } a mark\n{a}nor this");
});

test("a small model is told the same things in the same order, and of no tool that is not there", () => {
  const heads = (text: string) => [...text.matchAll(/^# (.*)$/gm)].map(([, head]) => head);
  const order = ["Workspace", "Tone", "Tasks", "Delegation", "Tools", "Care", "What the user gave you", "Scratchpad"];
  expect(heads(say("local", all))).toEqual([...order, "Completion"]);
  expect(heads(say("local", ["read"]))).not.toContain("Delegation");
  for (const profile of ["default", "local", "orchestrator"] as const)
    for (const tool of all) {
      const others = all.filter((name) => name !== tool);
      expect(say(profile, others)).not.toContain(`\`${tool}\``);
    }
});

test("how to say that one is done is told only where somebody listens to it", () => {
  expect(say("local", all)).toContain("[TASK_COMPLETE]");
  expect(say("local", all, { "local.completion": false })).not.toContain("TASK_COMPLETE");
  expect(say("default", all)).not.toContain("TASK_COMPLETE");
});
