import { formatBytes, plural } from "@pith/kit";

/** What a reader of a result should know beside it: what was left out, where the rest is, what was reached. */
export interface Meta {
  truncation?: Truncation;
  source?: { path?: string; url?: string; internal?: string };
  diagnostics?: { summary: string; messages: string[] };
  limits?: Limits;
  /** Plain sentences that fit none of the above. */
  notes?: string[];
}

export interface Truncation {
  direction: "head" | "tail" | "middle";
  truncatedBy: "lines" | "bytes" | "columns";
  totalLines: number;
  /** The lines were not counted to the end: there are more. */
  atLeast?: true;
  totalBytes: number;
  outputLines: number;
  outputBytes: number;
  /** 1-based lines that are shown. */
  shownRange?: { start: number; end: number };
  /** Where to go on after a cut at the head. */
  nextOffset?: number;
  maxBytes?: number;
  artifactId?: string;
  /** The file of the full text, when it could not become an artifact. */
  keptAt?: string;
  /** Set when the full text should have been kept and could not be. */
  lost?: true;
}

export interface Limits {
  matchLimit?: number;
  resultLimit?: number;
  headLimit?: number;
  columnLimit?: number;
}

/** The notice for the model, or nothing. One place formats it, so every tool says the same thing the same way. */
export function notice(meta: Meta | undefined): string | undefined {
  if (!meta) return undefined;
  const parts = [...truncationNotice(meta.truncation), ...limitNotice(meta.limits), ...(meta.notes ?? [])];
  const lines = parts.length > 0 ? [`[${parts.join(". ")}]`] : [];
  if (meta.diagnostics) lines.push([meta.diagnostics.summary, ...meta.diagnostics.messages].join("\n"));
  return lines.length > 0 ? lines.join("\n") : undefined;
}

function truncationNotice(cut: Truncation | undefined): string[] {
  if (!cut) return [];
  const parts: string[] = [];
  const total = cut.atLeast ? `more than ${cut.totalLines}` : cut.totalLines;
  if (cut.shownRange) parts.push(`Showing lines ${cut.shownRange.start}-${cut.shownRange.end} of ${total}`);
  else
    parts.push(
      `Showing ${cut.direction === "middle" ? "the beginning and the end" : `the ${cut.direction === "head" ? "beginning" : "end"}`} (${plural(cut.outputLines, "line")} of ${total})`,
    );
  if (cut.truncatedBy === "bytes") parts[0] += ` (${formatBytes(cut.maxBytes ?? cut.outputBytes)} limit)`;
  if (cut.truncatedBy === "columns") parts[0] += ", long lines cut";
  if (cut.nextOffset !== undefined) parts.push(`Go on at line ${cut.nextOffset}`);
  if (cut.artifactId !== undefined) parts.push(`${cut.lost ? "First part" : "Full"}: artifact://${cut.artifactId}`);
  if (cut.keptAt !== undefined)
    parts.push(`${cut.lost ? "First part" : "Full"}, until this session ends: ${cut.keptAt}`);
  if (cut.lost) parts.push("The full output could not be kept");
  return parts;
}

function limitNotice(limits: Limits | undefined): string[] {
  const parts: string[] = [];
  if (limits?.matchLimit) parts.push(`Stopped at ${limits.matchLimit} matches; narrow the pattern or the path`);
  if (limits?.resultLimit) parts.push(`Stopped at ${limits.resultLimit} results; narrow the pattern or the path`);
  if (limits?.headLimit) parts.push(`Only the first ${limits.headLimit} are listed`);
  if (limits?.columnLimit) parts.push(`Lines longer than ${limits.columnLimit} characters are cut`);
  return parts;
}
