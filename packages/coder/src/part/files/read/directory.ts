import { join } from "node:path";
import { type Outcome, refusal } from "@pith/agent";
import type { FolderEntry } from "@pith/host";
import { formatBytes } from "@pith/kit";
import { escapeName } from "../../../files/path.ts";
import { metaOf } from "../../../tools/meta.ts";
import type { ReadOptions } from "./options.ts";
import { chooseLines } from "./page.ts";
import type { FileTarget } from "./target.ts";

const depth = 2;
const perDirectory = 12;
const maxLines = 500;
const maxEntries = 20_000;

/** Shows the entries of a directory as a tree, of which a selector chooses lines. */
export async function showDirectory(
  { files, clock, room }: ReadOptions,
  { at, name, selector }: FileTarget,
  signal: AbortSignal,
): Promise<Outcome> {
  const tree = await files.tree(at.real, { depth, perDirectory, max: maxEntries, signal });
  if (!tree.ok) return refusal(tree.message.replace(at.real, () => name));
  const { entries, total, cut } = tree.value;
  const now = clock.now();
  const lines = entries.flatMap((entry) => [
    entryLine(entry, now),
    ...(entry.more ? [`${"  ".repeat(entry.depth)}… ${entry.more} more`] : []),
  ]);
  const chosen = chooseLines(lines, selector.ranges, { name, many: maxLines, bytes: room().bytes });
  const more = `It holds ${total} entries; only the ${maxEntries} changed last can be listed`;
  const notes = [...chosen.notes, ...(cut === "cut" ? [more] : [])];
  return {
    kind: "listing",
    data: { path: name, count: total },
    text: total === 0 ? "(empty directory)" : `[${join(name, "/")}]\n${chosen.text}`,
    meta: metaOf({ source: { path: at.path }, limits: chosen.limits, notes }),
  };
}

function entryLine({ name, depth, type, link, size, changed }: FolderEntry, now: number): string {
  const shown = `${"  ".repeat(depth)}${escapeName(name)}${type === "directory" ? "/" : ""}${link ? "@" : ""}`;
  const facts = [
    ...(size === undefined ? [] : [formatBytes(size)]),
    ...(changed === undefined ? [] : [age(now - changed)]),
  ];
  return facts.length > 0 ? `${shown}  ${facts.join("  ")}` : shown;
}

const units: readonly (readonly [number, string])[] = [
  [365 * 86_400_000, "y"],
  [30 * 86_400_000, "mo"],
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
];

function age(ms: number): string {
  const unit = units.find(([size]) => ms >= size);
  return unit ? `${Math.floor(ms / unit[0])}${unit[1]} ago` : "just now";
}
