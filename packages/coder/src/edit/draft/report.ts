import type { EditData, Outcome } from "@pith/agent";
import { defined } from "@pith/kit";
import { tagHeader } from "../../snapshot/header.ts";
import type { FileDone, Look } from "./place.ts";

export interface ReportHow {
  tags: "shown" | "left out";
  /** With "syntax", the default, new syntax errors are named after an edit. */
  check?: "syntax" | "nothing";
  /** Takes errors that were found too late for the result. */
  late?: (note: string) => void;
}

/** Looks at changes as they are made, and gives the words for them afterwards. */
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

/** The text about changed files for the model, and the data for views. */
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
  // A change that came out otherwise than it was written, or broke something, is shown as it stands now.
  const shown = warned.length > 0 || problems.length > 0 ? "lines" : "ranges";
  const diagnostics = { summary: "The edit brought in syntax errors:", messages: [...problems] };
  const meta = defined({
    notes: notes.length > 0 ? notes : undefined,
    diagnostics: problems.length > 0 ? diagnostics : undefined,
  });
  return {
    kind: "diff",
    data: { files: files.map((file) => file.change), ...editData(files) },
    text: [...files.map((file) => about(file, tags, shown)), ...warnings].join("\n\n"),
    meta: notes.length + problems.length > 0 ? meta : undefined,
  };
}

function editData(files: readonly FileDone[]): Partial<EditData> {
  const all = files.map(({ change: { path, patch: diff, change, firstChangedLine } }) =>
    defined({ path, diff, op: change === "added" ? ("create" as const) : ("update" as const), firstChangedLine }),
  );
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
  const { path, from } = change;
  const header = tag !== undefined && tags === "shown" ? [tagHeader(path, tag)] : [];
  if (change.change === "deleted") return `Deleted ${path}`;
  if (change.change === "added") return [`Created ${path}`, ...header].join("\n");
  if (excerpt === "") return [`${from === undefined ? "Updated" : `Moved ${from} to`} ${path}`, ...header].join("\n");
  const title = from === undefined ? (header.length > 0 ? [] : [`${path}:`]) : [`${from} → ${path}:`];
  // An edit that named lines by number is shown what they were.
  const ranges = file.ranges.flatMap(({ what, gone }) => (tags === "shown" ? [what, ...gone] : [what]));
  return [...title, ...header, ...echoes, ...(shown === "lines" ? [excerpt] : ranges)].join("\n");
}
