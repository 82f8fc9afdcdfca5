import type { Summarizer } from "@pith/agent";
import { fail, ok } from "@pith/kit";
import { loadPost } from "@pith/llm";

const maxBytes = 1024 * 1024;
const timeoutMs = 120_000;

export interface Remote {
  url: string;
  /** What is sent is passed through it, as with every request. */
  mask(text: string): string;
  timeoutMs?: number;
}

/** A server of the user's that sums up: it is sent `{systemPrompt, prompt}` and answers with `{summary}`. */
export function remoteCandidate({ url, mask, timeoutMs: patience = timeoutMs }: Remote): Summarizer {
  return {
    name: nameOf(url),
    // It divides what is long itself.
    window: Number.POSITIVE_INFINITY,
    async ask({ system, prompt }, signal) {
      const post = await loadPost();
      const body = { systemPrompt: mask(system), prompt: mask(prompt.toWellFormed()) };
      const answer = await post({ url, body, maxBytes, timeoutMs: patience, signal });
      if (signal.aborted) return fail("aborted", "it was stopped");
      if (!answer.ok) return fail("failed", answer.message);
      const { summary } = (answer.value ?? {}) as { summary?: unknown };
      if (typeof summary !== "string" || summary.trim() === "") return fail("refused", "it gave no summary");
      return ok(summary.trim());
    },
  };
}

/** Without what may be a key. */
function nameOf(url: string): string {
  try {
    return new URL(url).host || "compaction.remoteEndpoint";
  } catch {
    return "compaction.remoteEndpoint";
  }
}
