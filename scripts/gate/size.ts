// No file has more than 800 lines. A file above 500 is in size.json with its reason and may only shrink.
import { finish, holdSections, type Ratchet } from "./ratchet.ts";
import { sourceFiles } from "./tree.ts";

export const sizeRatchet: Ratchet = {
  rule: "size",
  unit: "lines",
  limit: 500,
  hardLimit: 800,
  needsReason: true,
  tight: true,
  advice: "Which state does it own, and which of its parts could own theirs? Split by owner, not by line count.",
};

if (import.meta.main) {
  const counts = new Map<string, number>();
  for (const { path, text } of await sourceFiles()) counts.set(path, text.split("\n").length - 1);
  const [longest = ["none", 0]] = [...counts].sort((a, b) => b[1] - a[1]);
  finish(
    await holdSections("size", { lines: { counts, ratchet: sizeRatchet } }),
    `${counts.size} files, the longest ${longest[0]} with ${longest[1]} lines`,
  );
}
