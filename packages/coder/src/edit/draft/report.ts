import type { EditData, Outcome } from "@pith/agent";
import { tagHeader } from "../../snapshot/header.ts";
import type { FileDone, Look } from "./place.ts";

export interface ReportHow {
  tags: "shown" | "left out";
  /** Whether new syntax errors are named after an edit. */
  check?: "syntax" | "nothing";
  /** Takes what was found out too late for the result. */
  late?: (note: string) => void;
}

/** An eye on what is changed, and the words for it afterwards. */
export interface Report {
  look?: Look;
  tell(files: readonly FileDone[], warnings: readonly string[]): Promise<Outcome<"diff">>;
}

export async function openReport({ tags, check, late }: ReportHow): Promise<Report> {
  if (check === "nothing") return { tell: async (files, warnings) => report(files, tags, [], warnings) };
  const looking = new (await import("../syntax/syntax.ts")).SyntaxCheck(late);
  return {
    look: (change) => looking.look(change),
    tell: async (files, warnings) => report(files, tags, await looking.problems(), warnings),
  };
}

/** What the model reads of changed files, and the data for everybody else. */
function report(
  files: readonly FileDone[],
  tags: ReportHow["tags"],
  problems: readonly string[],
  warned: readonly string[],
): Outcome<"diff"> {
  const notes = files.flatMap(({ change, inPlace }) =>
    inPlace ? [`${change.path} was written in place (${reasons[inPlace]})`] : [],
  );
  const warnings = warned.length > 0 ? [["Warnings:", ...warned].join("\n")] : [];
  // What came out otherwise than it was written, or broke something, is shown as it stands now.
  const shown = warned.length > 0 || problems.length > 0 ? "lines" : "ranges";
  const meta = {
    ...(notes.length > 0 ? { notes } : {}),
    ...(problems.length > 0
      ? { diagnostics: { summary: "The edit brought in syntax errors:", messages: [...problems] } }
      : {}),
  };
  return {
    kind: "diff",
    data: { files: files.map((file) => file.change), ...editData(files) },
    text: [...files.map((file) => about(file, tags, shown)), ...warnings].join("\n\n"),
    ...(Object.keys(meta).length > 0 ? { meta } : {}),
  };
}

function editData(files: readonly FileDone[]): Partial<EditData> {
  const all = files.map(({ change: { path, patch, change, firstChangedLine } }) => ({
    path,
    diff: patch,
    op: change === "added" ? ("create" as const) : ("update" as const),
    ...(firstChangedLine === undefined ? {} : { firstChangedLine }),
  }));
  if (all.length > 1) return { diff: all.map(({ diff }) => diff).join(""), perFileResults: all };
  const { path: _, ...single } = all[0] ?? { path: "" };
  return single;
}

const reasons = {
  "hard links": "it has several hard links",
  owner: "it belongs to somebody else",
  directory: "its directory cannot be written",
};

function about(file: FileDone, tags: ReportHow["tags"], shown: "lines" | "ranges"): string {
  const { change, tag, excerpt, echoes } = file;
  const header = tag !== undefined && tags === "shown" ? [tagHeader(change.path, tag)] : [];
  if (change.change === "deleted") return `Deleted ${change.path}`;
  if (change.change === "added") return [`Created ${change.path}`, ...header].join("\n");
  if (excerpt === "")
    return [`${change.from === undefined ? "Updated" : `Moved ${change.from} to`} ${change.path}`, ...header].join(
      "\n",
    );
  const moved = change.from === undefined ? undefined : `${change.from} → ${change.path}:`;
  const title = moved ?? (header.length > 0 ? undefined : `${change.path}:`);
  return [
    ...(title === undefined ? [] : [title]),
    ...header,
    ...echoes,
    // Who named lines by number is shown what they were.
    ...(shown === "lines"
      ? [excerpt]
      : file.ranges.flatMap(({ what, gone }) => (tags === "shown" ? [what, ...gone] : [what]))),
  ].join("\n");
}
