import type { FileChange } from "@pith/agent";
import { align, statOf, unified } from "../edit/diff.ts";
import { Lines } from "../edit/line.ts";

/** What happened to one file, for views: counts and a unified diff. `before` is undefined for a new file. */
export function fileChange(path: string, before: string | undefined, after: string): FileChange {
  const change = before === undefined ? "added" : "modified";
  if (before?.includes("\0") || after.includes("\0")) return { path, change, added: 0, removed: 0, patch: "" };
  const [old, now] = [new Lines(before ?? ""), new Lines(after)];
  const blocks = align(old.wholes(1, old.count), now.wholes(1, now.count));
  const stat = statOf(blocks);
  // A line of a diff has a sign and an end: with this many it cannot be small enough.
  const hopeless = blocks.length === 0 || (stat.added + stat.removed) * 2 > maxPatch;
  const from = before === undefined ? undefined : path;
  const patch = hopeless ? "" : unified(old, now, blocks, { from, to: path });
  return { path, change, ...stat, patch: patch.length > maxPatch ? "" : patch };
}

/** It is recorded with the session, and nobody reads more. */
const maxPatch = 256 * 1024;
