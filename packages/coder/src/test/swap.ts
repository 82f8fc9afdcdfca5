import { isOutcome, type Outcome, refusal, type Tool } from "@pith/agent";
import { realPath } from "@pith/kit";

/**
 * Runs a call after something was changed between its verdict and its run: with the check of its paths right before the
 * run, and without it, as if that had come too early.
 */
export async function runSwapped<I>(
  tool: Tool<I>,
  input: I,
  swap: () => void,
): Promise<{ looked: Outcome; blind: Outcome; judged: string[] }> {
  const { signal } = new AbortController();
  const intent = await tool.prepare(input, { signal, without: [] });
  if (isOutcome(intent)) return { looked: intent, blind: intent, judged: [] };
  swap();
  const call = { id: "1", signal, progress() {} };
  const strayed = intent.paths.some(({ path, real }) => realPath(path) !== real);
  return {
    looked: strayed ? refusal("leads elsewhere") : await intent.run(call),
    blind: await intent.run(call),
    judged: intent.paths.map(({ real }) => real),
  };
}
