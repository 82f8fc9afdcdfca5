import type { Outcome } from "@pith/agent";
import type { FileDone } from "../../edit/file.ts";
import { tagHeader } from "../../snapshot/header.ts";

export interface ReportHow {
  tags: "shown" | "left out";
  check: "syntax" | "nothing";
  warnings: readonly string[];
}

/** What the model reads of changed files, and the data for everybody else. */
export async function report(files: readonly (FileDone & { echoes?: string[] })[], how: ReportHow): Promise<Outcome> {
  const problems = how.check === "syntax" ? await newProblems(files) : [];
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

function about({ change, tag, preview, echoes = [] }: FileDone & { echoes?: string[] }, tags: ReportHow["tags"]): string {
  const header = tag !== undefined && tags === "shown" ? [tagHeader(change.path, tag)] : [];
  if (change.change === "deleted") return `Deleted ${change.path}`;
  if (change.change === "added") return [`Created ${change.path}`, ...header].join("\n");
  if (preview === "") return [`Updated ${change.path}`, ...header].join("\n");
  return [`${change.path}:`, ...header, ...echoes, preview].join("\n");
}

/** What takes longer than this is not worth waiting for. */
const checkMs = 30;

async function newProblems(files: readonly FileDone[]): Promise<string[]> {
  const { problemsOf } = await import("./syntax.ts");
  const timer = Promise.withResolvers<string[]>();
  const alarm = setTimeout(() => timer.resolve([]), checkMs);
  const found = Promise.all(
    files.map(({ path, change, before, after }) => (after === undefined ? [] : problemsOf({ path, name: change.path, before, after }))),
  );
  try {
    return await Promise.race([found.then((lists) => lists.flat()), timer.promise]);
  } finally {
    clearTimeout(alarm);
  }
}
