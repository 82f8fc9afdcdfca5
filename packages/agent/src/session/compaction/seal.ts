import { type Sealed, sealedItems } from "@pith/llm";

/** Field in which a compaction keeps a vendor's own summary; named as in omp. */
const name = "openaiRemoteCompaction";

export const sealData = (vendor: string, model: string, items: readonly object[]): Record<string, unknown> => ({
  [name]: { provider: vendor, model, replacementHistory: items },
});

/** Reads a sealed summary from an untrusted record; undefined if malformed. */
export function sealOf(preserved: Readonly<Record<string, unknown>> | undefined): Omit<Sealed, "text"> | undefined {
  const { provider, model, replacementHistory } = (preserved?.[name] ?? {}) as Record<string, unknown>;
  const items = sealedItems(replacementHistory);
  if (typeof provider !== "string" || provider === "" || !items) return undefined;
  return { vendor: provider, model: typeof model === "string" ? model : undefined, items };
}
