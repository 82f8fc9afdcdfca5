import type { Outcome } from "@pith/agent";
import { countLines, plural } from "@pith/kit";
import { cutHead } from "../../../tools/cut.ts";
import { metaOf } from "../../../tools/meta.ts";
import type { Conflict, Conflicts } from "../../../url/conflicts.ts";
import { findRegions, type Side } from "../../../url/marker.ts";
import type { FileTarget } from "./target.ts";

/** Shows the regions of a file that a merge left undecided, each with the number it is decided by. */
export function showConflicts(
  conflicts: Conflicts,
  { at: { path }, name }: FileTarget,
  text: string,
  bytes: number,
): Outcome<"page"> {
  const data = { path: name, totalLines: countLines(text) };
  const open = conflicts.record(path, findRegions(text));
  if (open.length === 0)
    return { kind: "page", data, text: `${name} has no unresolved conflicts`, meta: { source: { path } } };
  const all = [`[${name}] ${plural(open.length, "unresolved conflict")}`, ...open.map(block)].join("\n\n");
  const { text: cut, truncation } = cutHead(all, bytes);
  return { kind: "page", data, text: cut, meta: metaOf({ source: { path }, truncation, notes: [howToDecide] }) };
}

const howToDecide =
  "Write the decided text to conflict://<number>, or to conflict://* for all; @ours, @theirs, @base and @both stand for the sides";

function block({ id, region }: Conflict): string {
  const { from, to, ours, base, theirs } = region;
  return [
    `conflict://${id}  lines ${from}-${to}`,
    side("ours", ours),
    ...(base ? [side("base", base)] : []),
    side("theirs", theirs),
  ].join("\n");
}

const side = (which: string, { label, text }: Side): string =>
  `${which}${label ? ` (${label})` : ""}:\n${text === "" ? "(nothing)" : text.replace(/\r?\n$/, "")}`;
