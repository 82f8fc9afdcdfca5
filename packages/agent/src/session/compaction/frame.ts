import type { Image } from "@pith/llm";

/** A picture of what was said, and how it is read. The names are those of omp. */
export interface ArchiveFrame extends Image {
  cols: number;
  rows: number;
  /** Letters of `text` that stand on it. */
  chars: number;
}

/** The past of a session as pictures. */
export interface Archive {
  frames: ArchiveFrame[];
  /** How many are gone behind the first one. */
  left: number;
  /** What can be read on them, for whoever does not see; where others made it, perhaps more than that. */
  text?: string;
  /** What others keep in words, before the pictures and behind them. */
  head?: string;
  tail?: string;
}

/** However many a record holds, whoever wrote it. */
const most = 16;

/** The pictures that a compaction keeps beside its words, where there are some; a record may be a stranger's. */
export function archiveOf(preserved: Readonly<Record<string, unknown>> | undefined): Archive | undefined {
  const kept = (preserved?.snapcompact ?? {}) as Record<string, unknown>;
  const frames = (Array.isArray(kept.frames) ? kept.frames : []).flatMap((frame: Partial<ArchiveFrame> | null) =>
    typeof frame?.data === "string" && frame.mimeType === "image/png"
      ? [{ type: "image" as const, data: frame.data, mimeType: frame.mimeType, ...gridOf(frame) }]
      : [],
  );
  const words = { text: plain(kept.text), head: plain(kept.textHead), tail: plain(kept.textTail) };
  if (frames.length === 0 && Object.values(words).every((text) => text === undefined)) return undefined;
  const left = numberIn(kept.left);
  return {
    frames: frames.slice(-most),
    left,
    ...(words.text === undefined ? {} : { text: words.text }),
    ...(words.head === undefined ? {} : { head: words.head }),
    ...(words.tail === undefined ? {} : { tail: words.tail }),
  };
}

/** What an archive says, as far as it is known in words. */
export const wordsOf = ({ text, head, tail }: Archive): string =>
  (text ?? [head, tail].filter(Boolean).join("\n")).replaceAll("¶", "\n");

const gridOf = ({ cols, rows, chars }: Partial<ArchiveFrame>) => ({
  cols: numberIn(cols),
  rows: numberIn(rows),
  chars: numberIn(chars),
});
const numberIn = (value: unknown): number => (typeof value === "number" && value > 0 ? Math.floor(value) : 0);

/** omp marks ink by control characters and line ends by a block. */
function plain(text: unknown): string | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  return text.replaceAll("\u000e", "").replaceAll("\u000f", "").replaceAll("\u2588", "\n");
}
