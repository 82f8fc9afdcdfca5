import type { Summarizer } from "@pith/agent";
import { fail, ok, recordOf, tryOr } from "@pith/kit";
import { loadPost } from "@pith/llm";

const maxBytes = 1024 * 1024;

interface RemoteOptions {
  url: string;
  /** Masks secrets, as in every request. */
  mask(text: string): string;
  timeoutMs?: number;
}

/** A server of the user that summarizes: it gets `{systemPrompt, prompt}` and answers with `{summary}`. */
export function remoteCandidate({ url, mask, timeoutMs = 120_000 }: RemoteOptions): Summarizer {
  return {
    // The rest of the address may hold a key.
    name: tryOr(() => new URL(url).host, "") || "compaction.remoteEndpoint",
    window: Number.POSITIVE_INFINITY,
    async ask({ system, prompt }, signal) {
      const post = await loadPost();
      const body = { systemPrompt: mask(system), prompt: mask(prompt.toWellFormed()) };
      const answer = await post({ url, body, maxBytes, timeoutMs, signal });
      if (signal.aborted) return fail("aborted", "it was stopped");
      if (!answer.ok) return fail("failed", answer.message);
      const { summary } = recordOf(answer.value);
      if (typeof summary !== "string" || summary.trim() === "") return fail("refused", "it gave no summary");
      return ok(summary.trim());
    },
  };
}
