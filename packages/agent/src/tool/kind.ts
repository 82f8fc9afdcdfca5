/**
 * The data behind a result, by kind. There is one view per kind; a tool chooses a kind, it does not draw. Upper rooms
 * add kinds of their own by declaring them here; who does not know one shows its text.
 */
export interface Data {
  prose: Record<never, never>;
  /** A part of one document. */
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
export type Kind = keyof Data;

export interface PageData {
  path: string;
  from?: number;
  to?: number;
  totalLines?: number;
  bytes?: number;
  /** Bodies were left out. */
  summary?: { lines: number; elidedSpans: number; elidedLines: number };
  /** The path was not there; this one ends the same way. */
  suffixResolution?: { from: string; to: string };
}

export interface ListingData {
  path: string;
  count: number;
  /** Of a search by name: the same two, and the names themselves. */
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
  /** Where the first change stands in the new content. */
  firstChangedLine?: number;
}

/** Of an edit, under the names that programs made for other agents look for. */
export interface EditData {
  /** Unified diff of all files. */
  diff: string;
  firstChangedLine: number;
  op: "create" | "update";
  /** With several files. */
  perFileResults: ({ path: string } & Partial<Omit<EditData, "perFileResults">>)[];
}

/** Of a rewrite by patterns, which is shown before it is made. */
export interface RewriteData {
  totalReplacements: number;
  filesTouched: number;
  filesSearched: number;
  /** False: only shown, nothing is written. */
  applied: boolean;
  limitReached: boolean;
  parseErrors?: string[];
  scopePath?: string;
  fileReplacements?: { path: string; count: number }[];
}

/** Of a patch: the end of the program that it was written for. */
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
  /** The limit that ended it. */
  limit?: "memory" | "processes" | "disk" | "output" | "file size";
  /** Which limits held, and by what means. */
  limits?: string;
  /** It ran behind the wall. */
  confined?: true;
  /** What the wall kept it from, in words for people. */
  blocked?: readonly string[];
  /** The terminal of a client in which it runs, while it does. */
  terminal?: string;
  /** The background job that it became. */
  job?: string;
  /** The tool that would have been the right one. */
  suggestedTool?: string;
}

/** The kind of a recorded result, which may be one that nobody here knows; without one (another agent's file), prose. */
export function kindOf(details: Record<string, unknown> | undefined): string {
  return typeof details?.kind === "string" ? details.kind : "prose";
}
