import type { Image } from "@pith/llm";

/** A picture of what was said, and how it is read. */
export interface Frame extends Image {
  columns: number;
  rows: number;
}

/** However many a record holds, whoever wrote it. */
const most = 16;

/** The frames that a compaction keeps beside its words, and how many are gone; a record may be a stranger's. */
export function framesOf(preserved: Readonly<Record<string, unknown>> | undefined): { frames: Frame[]; left: number } {
  const { frames, left } = (preserved?.snapcompact ?? {}) as { frames?: unknown; left?: unknown };
  const sound = (Array.isArray(frames) ? frames : []).flatMap((frame: Partial<Frame> | null) =>
    typeof frame?.data === "string" && frame.mimeType === "image/png"
      ? [{ type: "image" as const, data: frame.data, mimeType: frame.mimeType, ...gridOf(frame) }]
      : [],
  );
  return { frames: sound.slice(-most), left: typeof left === "number" && left > 0 ? Math.floor(left) : 0 };
}

const gridOf = ({ columns, rows }: Partial<Frame>) => ({
  columns: typeof columns === "number" ? columns : 0,
  rows: typeof rows === "number" ? rows : 0,
});
