import type {
  EditData,
  ListingData,
  MatchData,
  PageData,
  PatchRunData,
  RewriteData,
  RunData,
  Schema,
  SharedData,
} from "@pith/agent";
import { schema as s } from "@pith/agent";
import { resultKinds } from "@pith/coder";

import { fileChange } from "./message.ts";
import { of, text, truth, whole } from "./schema.ts";

const texts = s.array(text);
const list = s.array(s.unknown());

const shared = {
  prose: s.object({}),
  page: of<PageData>({
    path: text,
    from: whole.optional(),
    to: whole.optional(),
    totalLines: whole.optional(),
    bytes: whole.optional(),
    summary: s.object({ lines: whole, elidedSpans: whole, elidedLines: whole }).optional(),
    suffixResolution: s.object({ from: text, to: text }).optional(),
  }),
  listing: of<ListingData>({
    path: text,
    count: whole,
    scopePath: text.optional(),
    fileCount: whole.optional(),
    files: texts.optional(),
    truncated: truth.optional(),
    resultLimitReached: truth.optional(),
    missingPaths: texts.optional(),
  }),
  matches: of<MatchData>({
    pattern: text,
    scopePath: text,
    matchCount: whole,
    fileCount: whole,
    files: texts,
    fileMatches: s.array(s.object({ path: text, count: whole })).optional(),
    fileLimitReached: truth.optional(),
    perFileLimitReached: truth.optional(),
    linesTruncated: truth.optional(),
    truncated: truth.optional(),
    missingPaths: texts.optional(),
  }),
  diff: of<{ files: unknown; madeExecutable?: true } & Partial<EditData & RewriteData & PatchRunData>>({
    files: s.array(fileChange),
    madeExecutable: truth.optional(),
    diff: text.optional(),
    firstChangedLine: whole.optional(),
    op: s.oneOf(["create", "update"]).optional(),
    perFileResults: list.optional(),
    totalReplacements: whole.optional(),
    filesTouched: whole.optional(),
    filesSearched: whole.optional(),
    applied: truth.optional(),
    limitReached: truth.optional(),
    parseErrors: texts.optional(),
    scopePath: text.optional(),
    fileReplacements: list.optional(),
    exit_code: s.oneOf([0, 1]).optional(),
    stdout: text.optional(),
    stderr: text.optional(),
    duration: s.number().optional(),
    timed_out: s.literal(false).optional(),
  }),
  run: of<RunData>({
    command: text,
    cwd: text,
    exitCode: whole.optional(),
    signal: text.optional(),
    timedOut: truth.optional(),
    cancelled: truth.optional(),
    durationMs: s.number(),
    limit: text.optional(),
    limits: text.optional(),
    confined: truth.optional(),
    blocked: texts.optional(),
    terminal: text.optional(),
    job: text.optional(),
    suggestedTool: text.optional(),
  }),
  table: s.object({ columns: texts, rows: s.array(texts) }),
} satisfies Record<keyof SharedData, Schema<unknown>>;

const own = Object.entries(resultKinds).map(([kind, { schema }]) => [kind, schema()] as const);

/** The data of every kind of result: those that tools share, and those of single parts. */
export const kinds: Readonly<Record<string, Schema<unknown>>> = { ...shared, ...Object.fromEntries(own) };
