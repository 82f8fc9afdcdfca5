import type { FileChange } from "@pith/agent";
import { countLines } from "@pith/kit";

/** What happened to one file, for views: counts and a unified diff. `before` is undefined for a new file. */
export async function fileChange(path: string, before: string | undefined, after: string): Promise<FileChange> {
  const change = before === undefined ? "added" : "modified";
  if (before?.includes("\0") || after.includes("\0")) return { path, change, added: 0, removed: 0, patch: "" };
  const { structuredPatch, formatPatch } = await import("diff");
  const patch = structuredPatch(path, path, before ?? "", after, undefined, undefined, {
    context: 3,
    timeout: maxMs,
    maxEditLength,
  });
  // Too different to compare in time: the counts are those of a replacement, and there is no diff to show.
  if (!patch) return { path, change, added: countLines(after), removed: countLines(before ?? ""), patch: "" };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const text = formatPatch(patch);
  return {
    path,
    change,
    added: count(lines, "+"),
    removed: count(lines, "-"),
    patch: text.length > maxPatch ? "" : text,
  };
}

const maxMs = 100;
const maxEditLength = 20_000;
/** It is recorded with the session, and nobody reads more. */
const maxPatch = 256 * 1024;

const count = (lines: readonly string[], mark: "+" | "-"): number =>
  lines.filter((line) => line.startsWith(mark)).length;
