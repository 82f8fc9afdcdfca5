import { type CompactionTask, loadCompaction } from "@pith/agent";
import { isSealing, modelName } from "@pith/llm";
import type { CompactorNeeds } from "./needs.ts";

/**
 * The vendor's own summary, for what its servers keep between turns and words do not say. It stands beside the one that
 * everybody can read, and is left out wherever it is not to be had: never instead of words, which another model needs.
 */
export async function sealedBy(
  needs: Pick<CompactorNeeds, "settings" | "aside" | "standing" | "channel">,
  { model, path, cut, sizes, instructions, additions, tokens, signal }: CompactionTask,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  // What somebody asked for in particular, only words can promise.
  if (!isSealing(model) || instructions || additions.prompt || !needs.settings.get("compaction.remoteEnabled")) return;
  const { measurePath, answerTimeoutMs, sealData } = await loadCompaction();
  const messages = measurePath(path, tokens)
    .slice(0, cut.at)
    .flatMap((item) => item.messages);
  const { system, session } = await needs.standing();
  const { message, failure } = await needs.aside(
    { model, purpose: "summary", system, messages, tools: [], seal: true, ...(session && { session }) },
    AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
  );
  if (signal.aborted || failure?.kind === "missing") return;
  const items = itemsIn(message.content);
  const length = JSON.stringify(items).length / lettersPerToken;
  const why = failure?.message ?? (length > sizes.summary + sizes.words ? "it is too long" : undefined);
  if (why === undefined) return sealData(model.vendor, model.id, items);
  needs.channel.notify({ level: "info", text: `${modelName(model)} is given a summary in words: ${why}` });
  return undefined;
}

const lettersPerToken = 4;

/** What the protocol gives as the signature of its answer. */
function itemsIn(content: readonly object[]): object[] {
  const { textSignature } = (content[0] ?? {}) as { textSignature?: string };
  return JSON.parse(textSignature ?? "[]");
}
