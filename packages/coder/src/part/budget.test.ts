import { describe, expect, test } from "bun:test";
import { noUsage } from "@pith/llm";
import { reply, turn } from "../test/scripted.ts";
import { budget, budgetHook } from "./budget.ts";

describe("a budget", () => {
  const used = (tokens: number, total: number) =>
    reply({ usage: { ...noUsage(), totalTokens: tokens, cost: { ...noUsage().cost, total } } });

  test("in dollars ends a run between two requests, over all prompts, and counts each answer once", () => {
    const hook = budgetHook({ maxCost: 0.05 });
    const first = used(10, 0.03);
    expect(hook.step?.(turn({ reply: first }))).toEqual({ do: "go" });
    expect(hook.settle?.(turn({ reply: first }))).toEqual({ do: "done" });
    expect(hook.step?.(turn())).toEqual({ do: "go" });
    expect(hook.step?.(turn({ reply: used(10, 0.03) }))).toEqual({
      do: "stop",
      message: "The budget of $0.05 (--max-cost) is used up: $0.0600 so far.",
    });
  });

  test("in tokens does the same", () => {
    expect(budgetHook({ maxTokens: 100 }).step?.(turn({ reply: used(120, 0) }))).toEqual({
      do: "stop",
      message: "The budget of 100 tokens (--max-tokens) is used up: 120 so far.",
    });
  });

  test("is held only where somebody set one", () => {
    const part = (wanted: { maxCost?: number; maxTokens?: number }) => budget({ choice: { wanted } } as never);
    expect(part({})).toBeUndefined();
    expect(part({ maxTokens: 100 })?.hooks?.[0]?.step?.(turn({ reply: used(120, 0) }))).toMatchObject({ do: "stop" });
  });
});
