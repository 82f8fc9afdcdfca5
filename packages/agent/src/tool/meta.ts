import { formatBytes, plural } from "@pith/kit";

/** Bytes of one output shown to the model. */
export const maxShown = 50 * 1024;

/** Facts about a result for its readers: what was left out, where the rest is, which limits were reached. */
export interface Meta {
  truncation?: Truncation;
  source?: { path?: string; url?: string; internal?: string };
  diagnostics?: { summary: string; messages: string[] };
  limits?: ResultLimits;
  /** Origin, if neither the user nor the project wrote it. */
  origin?: { from: "web" | "server" | "outside" | "network"; what: string };
  /** Set if it was not run: the same call was answered before, and the answer still holds. */
  repeat?: true;
  /** Other sentences. */
  notes?: string[];
}

export interface Truncation {
  direction: "head" | "tail" | "middle";
  truncatedBy: "lines" | "bytes" | "columns" | "repeats";
  totalLines: number;
  /** Set if there are more lines than were counted. */
  atLeast?: true;
  totalBytes: number;
  outputLines: number;
  outputBytes: number;
  /** Lines shown, from 1. */
  shownRange?: { start: number; end: number };
  /** Request for the next part. */
  next?: string;
  maxBytes?: number;
  artifactId?: string;
  /** File of the full text, if it could not become an artifact. */
  keptAt?: string;
  /** Set if the full text should have been kept and could not be. */
  lost?: true;
}

export interface ResultLimits {
  matchLimit?: number;
  resultLimit?: number;
  headLimit?: number;
  columnLimit?: number;
}

/** The notice for the model, formatted in one place for all tools; undefined if there is nothing to say. */
export function notice(meta: Meta | undefined): string | undefined {
  if (!meta) return undefined;
  const sentences = [...truncationNotice(meta.truncation), ...limitNotice(meta.limits), ...(meta.notes ?? [])];
  const lines = sentences.length > 0 ? [`[${sentences.join(". ")}]`] : [];
  if (meta.diagnostics) lines.push([meta.diagnostics.summary, ...meta.diagnostics.messages].join("\n"));
  return lines.length > 0 ? lines.join("\n") : undefined;
}

function truncationNotice(cut: Truncation | undefined): string[] {
  if (!cut) return [];
  const total = cut.atLeast ? `more than ${cut.totalLines}` : cut.totalLines;
  let shown = cut.shownRange
    ? `Showing lines ${cut.shownRange.start}-${cut.shownRange.end} of ${total}`
    : `Showing ${ends[cut.direction]} (${plural(cut.outputLines, "line")} of ${total})`;
  if (cut.truncatedBy === "bytes") shown += ` (${formatBytes(cut.maxBytes ?? cut.outputBytes)} limit)`;
  if (cut.truncatedBy === "columns") shown += ", long lines cut";
  if (cut.truncatedBy === "repeats") shown = `Repeated lines are counted, ${total} in all`;
  const sentences = [shown];
  const kept = cut.lost ? "First part" : "Full";
  if (cut.next !== undefined) sentences.push(`Go on with ${cut.next}`);
  if (cut.artifactId !== undefined) sentences.push(`${kept}: artifact://${cut.artifactId}`);
  if (cut.keptAt !== undefined) sentences.push(`${kept}, until this session ends: ${cut.keptAt}`);
  if (cut.lost) sentences.push("The full output could not be kept");
  return sentences;
}

const ends = { head: "the beginning", tail: "the end", middle: "the beginning and the end" } as const;

function limitNotice(limits: ResultLimits | undefined): string[] {
  const sentences: string[] = [];
  if (limits?.matchLimit) sentences.push(`Stopped at ${limits.matchLimit} matches; narrow the pattern or the path`);
  if (limits?.resultLimit) sentences.push(`Stopped at ${limits.resultLimit} results; narrow the pattern or the path`);
  if (limits?.headLimit) sentences.push(`Only the first ${limits.headLimit} are listed`);
  if (limits?.columnLimit) sentences.push(`Lines longer than ${limits.columnLimit} characters are cut`);
  return sentences;
}
