import type { Schema } from "./schema.ts";

/** Data of the kinds of results that several tools share. */
export interface SharedData {
  prose: Record<never, never>;
  /** Part of a document. */
  page: PageData;
  /** Names found or listed. */
  listing: ListingData;
  matches: MatchData;
  diff: { files: FileChange[]; madeExecutable?: boolean } & Partial<RewriteData> &
    Partial<PatchRunData> &
    Partial<EditData>;
  run: RunData;
  table: { columns: string[]; rows: string[][] };
}

/**
 * Data of results by kind. Tools choose a kind and do not draw. Upper packages add kinds by extending this interface;
 * an unknown kind is shown as text.
 */
export interface Data extends SharedData {}
export type Kind = keyof Data;

/** The text of a result, and whether it failed. */
export interface ResultText {
  text: string;
  failed: boolean;
}

/** Facts about a kind that are known without a conversation. */
export interface ResultKind<D> {
  /** Makes the schema of its data, for programs that read results. */
  schema(): Schema<unknown>;
  /** Says the facts of a result in a few words; without it, they are the first line of its text. */
  brief?(data: D, shown: ResultText): string;
}

/** The data of a table of kinds. */
export type DataOf<Kinds> = { [K in keyof Kinds]: Kinds[K] extends ResultKind<infer D> ? D : never };

export interface PageData {
  path: string;
  from?: number;
  to?: number;
  totalLines?: number;
  bytes?: number;
  /** Set if bodies were left out. */
  summary?: { lines: number; elidedSpans: number; elidedLines: number };
  /** Set if the path does not exist and another one ends alike. */
  suffixResolution?: { from: string; to: string };
}

export interface ListingData {
  path: string;
  count: number;
  /** Fields of a search by name: path, count, and the names. */
  scopePath?: string;
  fileCount?: number;
  files?: string[];
  truncated?: boolean;
  resultLimitReached?: boolean;
  missingPaths?: string[];
}

export interface MatchData {
  pattern: string;
  scopePath: string;
  matchCount: number;
  fileCount: number;
  files: string[];
  fileMatches?: { path: string; count: number }[];
  fileLimitReached?: boolean;
  perFileLimitReached?: boolean;
  linesTruncated?: boolean;
  truncated?: boolean;
  missingPaths?: string[];
}

export interface FileChange {
  path: string;
  change: "added" | "modified" | "deleted" | "moved";
  from?: string;
  added: number;
  removed: number;
  /** Unified diff of this file. */
  patch: string;
  /** Line of the first change in the new content. */
  firstChangedLine?: number;
}

/** Fields of an edit, named as programs for other agents expect. */
export interface EditData {
  /** Unified diff of all files. */
  diff: string;
  firstChangedLine: number;
  op: "create" | "update";
  /** Results per file, if there are several. */
  perFileResults: ({ path: string } & Partial<Omit<EditData, "perFileResults">>)[];
}

/** Fields of a rewrite by patterns, which is shown before it is made. */
export interface RewriteData {
  totalReplacements: number;
  filesTouched: number;
  filesSearched: number;
  /** False if it is only shown. */
  applied: boolean;
  limitReached: boolean;
  parseErrors?: string[];
  scopePath?: string;
  fileReplacements?: { path: string; count: number }[];
}

/** Fields of a patch: exit of the program it was written for. */
export interface PatchRunData {
  exit_code: 0 | 1;
  stdout: string;
  stderr: string;
  /** Milliseconds. */
  duration: number;
  timed_out: false;
}

export interface RunData {
  command: string;
  cwd: string;
  exitCode?: number;
  signal?: string;
  timedOut?: true;
  cancelled?: true;
  durationMs: number;
  /** Limit that ended it. */
  limit?: "memory" | "processes" | "disk" | "output" | "file size";
  /** Limits in force, and their mechanism. */
  limits?: string;
  /** Set if it ran in the sandbox. */
  confined?: true;
  /** Actions that the sandbox blocked, in words for people. */
  blocked?: readonly string[];
  /** Changes in a throw-away layer, in words for people. */
  discarded?: readonly string[];
  /** Terminal of a client in which it runs, while it does. */
  terminal?: string;
  /** Background job that it became. */
  job?: string;
  /** The tool that should have been used. */
  suggestedTool?: string;
}

/** Kind of a recorded result, perhaps an unknown one; prose if there is none, as in other agents' files. */
export function kindOf(details: Record<string, unknown> | undefined): string {
  return typeof details?.kind === "string" ? details.kind : "prose";
}
