import type { Data } from "@pith/agent";
import { formatBytes, plural } from "@pith/kit";
import { linesOf, plainLine, rowOf, type View } from "../canvas.ts";

/** The part of a document that was read; its text is for the model. */
export const page: View<Data["page"]> = {
  brief: (data, { text }) => factsOf(data).join(", ") || plural(linesOf(text).length, "line"),
  rows: (data, _, canvas) => [rowOf(plainLine([data.path, ...factsOf(data)].join(", ")), canvas, "dim")],
  rest: () => [],
};

function factsOf({ from, to, totalLines, bytes }: Data["page"]): string[] {
  const lines = from === undefined || to === undefined ? [] : [`lines ${from}-${to}`];
  if (lines.length > 0 && totalLines !== undefined) lines[0] += ` of ${totalLines}`;
  return bytes === undefined ? lines : [...lines, formatBytes(bytes)];
}
