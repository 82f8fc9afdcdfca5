import { type Sealed, sealedItems } from "@pith/llm";

/** A summary that a vendor made for itself, as a compaction keeps it; the names are those of omp. */
const name = "openaiRemoteCompaction";

export const sealData = (vendor: string, model: string, items: readonly object[]): Record<string, unknown> => ({
  [name]: { provider: vendor, model, replacementHistory: items },
});

/** A record may be a stranger's: what has no shape is none. */
export function sealOf(preserved: Readonly<Record<string, unknown>> | undefined): Omit<Sealed, "text"> | undefined {
  const { provider, model, replacementHistory } = (preserved?.[name] ?? {}) as Record<string, unknown>;
  const items = sealedItems(replacementHistory);
  if (typeof provider !== "string" || provider === "" || !items) return undefined;
  return { vendor: provider, model: typeof model === "string" ? model : undefined, items };
}
