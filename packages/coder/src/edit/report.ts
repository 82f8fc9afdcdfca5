import type { Outcome } from "@pith/agent";
import { tagHeader } from "../snapshot/header.ts";
import type { FileDone } from "./file.ts";

export interface ReportHow {
  tags: "shown" | "left out";
  /** New syntax errors, when they were found in time. */
  problems: Promise<string[]>;
  warnings: readonly string[];
}

/** A changed file with what its block operations were resolved to. */
export type Told = FileDone & { echoes?: string[] };

/** What the model reads of changed files, and the data for everybody else. */
export async function report(files: readonly Told[], how: ReportHow): Promise<Outcome<"diff">> {
  const problems = await how.problems;
  const notes = files.flatMap(({ change, inPlace }) => (inPlace ? [`${change.path} was written in place (${reasons[inPlace]})`] : []));
  const warnings = how.warnings.length > 0 ? [["Warnings:", ...how.warnings].join("\n")] : [];
  const meta = {
    ...(notes.length > 0 ? { notes } : {}),
    ...(problems.length > 0 ? { diagnostics: { summary: "The edit brought in syntax errors:", messages: problems } } : {}),
  };
  return {
    kind: "diff",
    data: { files: files.map((file) => file.change) },
    text: [...files.map((file) => about(file, how.tags)), ...warnings].join("\n\n"),
    ...(Object.keys(meta).length > 0 ? { meta } : {}),
  };
}

const reasons = { "hard links": "it has several hard links", owner: "it belongs to somebody else", directory: "its directory cannot be written" };

function about({ change, tag, preview, echoes = [] }: Told, tags: ReportHow["tags"]): string {
  const header = tag !== undefined && tags === "shown" ? [tagHeader(change.path, tag)] : [];
  if (change.change === "deleted") return `Deleted ${change.path}`;
  if (change.change === "added") return [`Created ${change.path}`, ...header].join("\n");
  if (preview === "") return [`${change.from === undefined ? "Updated" : `Moved ${change.from} to`} ${change.path}`, ...header].join("\n");
  return [change.from === undefined ? `${change.path}:` : `${change.from} → ${change.path}:`, ...header, ...echoes, preview].join("\n");
}
