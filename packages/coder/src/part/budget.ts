import type { Hook, TurnView } from "@pith/agent";
import type { AssistantMessage } from "@pith/llm";
import type { MakePart } from "../hall/part.ts";

export interface Budget {
  /** Dollars. */
  maxCost?: number | undefined;
  maxTokens?: number | undefined;
}

/** What a run may spend, where somebody said so. */
export const budget: MakePart<"choice"> = ({ choice }) => {
  const { maxCost, maxTokens } = choice.wanted;
  if (maxCost === undefined && maxTokens === undefined) return undefined;
  return { name: "budget", hooks: [budgetHook({ maxCost, maxTokens })] };
};

/**
 * Ends a run between two requests when it has used what it may; counted from the start of the run, failed attempts
 * included.
 */
export function budgetHook({ maxCost = Number.POSITIVE_INFINITY, maxTokens = Number.POSITIVE_INFINITY }: Budget): Hook {
  const spent = { cost: 0, tokens: 0 };
  const counted = new WeakSet<AssistantMessage>();
  const count = ({ reply, lost }: TurnView) => {
    for (const answer of [reply, lost]) {
      if (!answer || counted.has(answer)) continue;
      counted.add(answer);
      spent.cost += answer.usage.cost.total;
      spent.tokens += answer.usage.totalTokens;
    }
  };
  return {
    name: "budget",
    step(turn) {
      count(turn);
      if (spent.cost >= maxCost)
        return {
          do: "stop",
          message: `The budget of $${maxCost} (--max-cost) is used up: $${spent.cost.toFixed(4)} so far.`,
        };
      if (spent.tokens >= maxTokens)
        return {
          do: "stop",
          message: `The budget of ${maxTokens} tokens (--max-tokens) is used up: ${spent.tokens} so far.`,
        };
      return { do: "go" };
    },
    settle(turn) {
      count(turn);
      return { do: "done" };
    },
  };
}
