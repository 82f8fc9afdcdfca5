import type { EditData, Outcome } from "@pith/agent";
import { tagHeader } from "../snapshot/header.ts";
import type { EditParts, FileDone } from "./file.ts";

export interface ReportHow {
  tags: "shown" | "left out";
  /** Whether new syntax errors are named after an edit. */
  check?: "syntax" | "nothing";
  /** Takes what was found out too late for the result. */
  late?: (note: string) => void;
}

/** Tells of changed files, with warnings. */
export type Tell = (files: readonly Told[], warnings: readonly string[]) => Promise<Outcome<"diff">>;

/** The same parts with an eye on what is changed, and the words for it afterwards. */
export async function reporting<P extends EditParts>(
  parts: P,
  { tags, check, late }: ReportHow,
): Promise<{ parts: P; tell: Tell }> {
  if (check === "nothing") return { parts, tell: async (files, warnings) => report(files, tags, [], warnings) };
  const looking = new (await import("./syntax.ts")).SyntaxCheck(late);
  return {
    parts: { ...parts, planned: (change) => looking.look(change) },
    tell: async (files, warnings) => report(files, tags, await looking.problems(), warnings),
  };
}

/** A changed file with what its block operations were resolved to. */
export type Told = FileDone & { echoes?: string[] };

/** What the model reads of changed files, and the data for everybody else. */
function report(
  files: readonly Told[],
  tags: ReportHow["tags"],
  problems: readonly string[],
  warned: readonly string[],
): Outcome<"diff"> {
  const notes = files.flatMap(({ change, inPlace }) =>
    inPlace ? [`${change.path} was written in place (${reasons[inPlace]})`] : [],
  );
  const warnings = warned.length > 0 ? [["Warnings:", ...warned].join("\n")] : [];
  const meta = {
    ...(notes.length > 0 ? { notes } : {}),
    ...(problems.length > 0
      ? { diagnostics: { summary: "The edit brought in syntax errors:", messages: [...problems] } }
      : {}),
  };
  return {
    kind: "diff",
    data: { files: files.map((file) => file.change), ...editData(files) },
    text: [...files.map((file) => about(file, tags)), ...warnings].join("\n\n"),
    ...(Object.keys(meta).length > 0 ? { meta } : {}),
  };
}

function editData(files: readonly Told[]): Partial<EditData> {
  const all = files.map(({ change: { path, patch, change, firstChangedLine } }) => ({
    path,
    diff: patch,
    op: change === "added" ? ("create" as const) : ("update" as const),
    ...(firstChangedLine === undefined ? {} : { firstChangedLine }),
  }));
  if (all.length > 1) return { diff: all.map((one) => one.diff).join(""), perFileResults: all };
  const { path: _, ...one } = all[0] ?? { path: "" };
  return one;
}

const reasons = {
  "hard links": "it has several hard links",
  owner: "it belongs to somebody else",
  directory: "its directory cannot be written",
};

function about({ change, tag, preview, echoes = [] }: Told, tags: ReportHow["tags"]): string {
  const header = tag !== undefined && tags === "shown" ? [tagHeader(change.path, tag)] : [];
  if (change.change === "deleted") return `Deleted ${change.path}`;
  if (change.change === "added") return [`Created ${change.path}`, ...header].join("\n");
  if (preview === "")
    return [`${change.from === undefined ? "Updated" : `Moved ${change.from} to`} ${change.path}`, ...header].join(
      "\n",
    );
  return [
    change.from === undefined ? `${change.path}:` : `${change.from} → ${change.path}:`,
    ...header,
    ...echoes,
    preview,
  ].join("\n");
}
