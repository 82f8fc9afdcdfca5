import type { Model } from "@pith/llm";
import type { Aside } from "../../loop/aside.ts";
import { messagesOf } from "../convert.ts";
import type { Entry } from "../entry.ts";
import { textOf } from "../text.ts";
import ask from "./branch-ask.md" with { type: "text" };
import preamble from "./branch-preamble.md" with { type: "text" };
import { filesOf, withoutFiles } from "./files.ts";
import type { Summarise } from "./navigate.ts";

/** How a branch is summed up. */
export interface Summarising {
  model: Model;
  ask: Aside;
  /** Tokens of the context window that are not filled with the branch. */
  reserveTokens: number;
  /** In the place of our own request. */
  instructions?: string;
  signal: AbortSignal;
}

/** Sums a branch up with a model, for `navigate`. Undefined when it was aborted or the model failed. */
export const branchSummariser =
  ({ model, ask: aside, reserveTokens, instructions, signal }: Summarising): Summarise =>
  async (left) => {
    const text = selectEntries(left, model.contextWindow - reserveTokens)
      .map(entryText)
      .join("\n\n");
    const content = `<branch>\n${text}\n</branch>\n\n${instructions ?? ask.trim()}`;
    const messages = [{ role: "user" as const, content, timestamp: 0 }];
    const { message, failure } = await aside({ model, purpose: "branch", system: [], messages, tools: [] }, signal);
    const summary = textOf(message.content);
    if (failure || summary.trim() === "") return undefined;
    const files = filesOf(left);
    return {
      summary: [preamble.trim(), withoutFiles(summary), files.text].filter(Boolean).join("\n\n"),
      details: files.details,
    };
  };

/**
 * The newest entries that fit, in their order. A summary stands for much: near the edge it is taken though it is too
 * long.
 */
export function selectEntries(entries: readonly Entry[], budget: number): Entry[] {
  const chosen: Entry[] = [];
  let used = 0;
  for (const entry of entries.toReversed()) {
    const text = entryText(entry);
    if (text === "") continue;
    const size = Math.ceil(text.length / 4);
    if (used + size > budget) {
      if (isSummary(entry) && used < budget * 0.9) chosen.push(entry);
      break;
    }
    chosen.push(entry);
    used += size;
  }
  return chosen.reverse();
}

const isSummary = (entry: Entry) => entry.type === "compaction" || entry.type === "branch_summary";

/** An entry as text: what a model would be shown, with its calls and without its images. */
function entryText(entry: Entry): string {
  return messagesOf(entry)
    .map((message) => {
      const calls =
        message.role === "assistant"
          ? message.content.flatMap((part) =>
              part.type === "toolCall" ? [`${part.name}(${JSON.stringify(part.arguments)})`] : [],
            )
          : [];
      const body = [textOf(message.content), ...calls].filter(Boolean).join("\n");
      return body === ""
        ? ""
        : `[${message.role}] ${message.role === "toolResult" ? body.slice(0, resultLength) : body}`;
    })
    .filter(Boolean)
    .join("\n");
}
const resultLength = 2000;
