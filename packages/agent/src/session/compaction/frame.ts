import type { Image } from "@pith/llm";

/** A picture of earlier text, and its layout. Field names are those of omp. */
export interface ArchiveFrame extends Image {
  cols: number;
  rows: number;
  /** Letters of `text` on it. */
  chars: number;
}

/** Earlier text of a session as pictures. */
export interface Archive {
  frames: ArchiveFrame[];
  /** Pictures missing after the first one. */
  left: number;
  /** Text of the pictures, for models that see no images; of other programs' archives perhaps more. */
  text?: string;
  /** Text that other programs keep before and after the pictures. */
  head?: string;
  tail?: string;
}

/** Pictures read at most. */
const most = 16;

/** Reads the pictures of a compaction from an untrusted record. */
export function archiveOf(preserved: Readonly<Record<string, unknown>> | undefined): Archive | undefined {
  const kept = (preserved?.snapcompact ?? {}) as Record<string, unknown>;
  const frames = (Array.isArray(kept.frames) ? kept.frames : []).flatMap((frame: Partial<ArchiveFrame> | null) =>
    typeof frame?.data === "string" && frame.mimeType === "image/png"
      ? [{ type: "image" as const, data: frame.data, mimeType: frame.mimeType, ...gridOf(frame) }]
      : [],
  );
  const words = { text: plain(kept.text), head: plain(kept.textHead), tail: plain(kept.textTail) };
  if (frames.length === 0 && Object.values(words).every((text) => text === undefined)) return undefined;
  return { frames: frames.slice(-most), left: numberIn(kept.left), ...words };
}

/** Text of an archive. */
export const wordsOf = ({ text, head, tail }: Archive): string =>
  (text ?? [head, tail].filter(Boolean).join("\n")).replaceAll("¶", "\n");

const gridOf = ({ cols, rows, chars }: Partial<ArchiveFrame>) => ({
  cols: numberIn(cols),
  rows: numberIn(rows),
  chars: numberIn(chars),
});
const numberIn = (value: unknown): number => (typeof value === "number" && value > 0 ? Math.floor(value) : 0);

/** Removes omp's control characters for colours, and its signs for line ends. */
function plain(text: unknown): string | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  return text.replaceAll("\u000e", "").replaceAll("\u000f", "").replaceAll("\u2588", "\n");
}
