import { type CompactionTask, loadCompaction } from "@pith/agent";
import { isSealing, modelName } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";

/**
 * Asks the vendor for its own, unreadable summary. It comes beside the summary in words, which other models need;
 * undefined where the vendor makes none.
 */
export async function vendorSummary(
  hall: Pick<Hall, "settings" | "aside" | "standing" | "channel">,
  { model, path, cut, sizes, instructions, additions, tokens, signal }: CompactionTask,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  // A summary with instructions of a person or a hook is only made in words.
  if (!isSealing(model) || instructions || additions.prompt || !hall.settings.get("compaction.remoteEnabled")) return;
  const { measurePath, answerTimeoutMs, sealData } = await loadCompaction();
  const messages = measurePath(path, tokens)
    .slice(0, cut.at)
    .flatMap((item) => item.messages);
  const { system, session } = await hall.standing();
  const { message, failure } = await hall.aside(
    { model, purpose: "summary", system, messages, tools: [], seal: true, ...(session && { session }) },
    AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
  );
  if (signal.aborted || failure?.kind === "missing") return;
  const items = itemsIn(message.content);
  const length = JSON.stringify(items).length / lettersPerToken;
  const why = failure?.message ?? (length > sizes.summary + sizes.words ? "it is too long" : undefined);
  if (why === undefined) return sealData(model.vendor, model.id, items);
  hall.channel.notify({ level: "info", text: `${modelName(model)} is given a summary in words: ${why}` });
  return undefined;
}

const lettersPerToken = 4;

/** The items that the protocol delivers as the signature of an answer. */
function itemsIn(content: readonly object[]): object[] {
  const { textSignature } = (content[0] ?? {}) as { textSignature?: string };
  return JSON.parse(textSignature ?? "[]");
}
