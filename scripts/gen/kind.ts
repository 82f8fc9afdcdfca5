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
} from "../../packages/agent/src/index.ts";
import { schema as s } from "../../packages/agent/src/index.ts";
import { fileChange } from "../../packages/cli/src/wire/message.ts";
import { bool, int, of, text } from "../../packages/cli/src/wire/schema.ts";
import { resultKinds } from "../../packages/coder/src/kinds.gen.ts";

const texts = s.array(text);
const list = s.array(s.unknown());

const shared = {
  prose: s.object({}),
  page: of<PageData>({
    path: text,
    from: int.optional(),
    to: int.optional(),
    totalLines: int.optional(),
    bytes: int.optional(),
    summary: s.object({ lines: int, elidedSpans: int, elidedLines: int }).optional(),
    suffixResolution: s.object({ from: text, to: text }).optional(),
  }),
  listing: of<ListingData>({
    path: text,
    count: int,
    scopePath: text.optional(),
    fileCount: int.optional(),
    files: texts.optional(),
    truncated: bool.optional(),
    resultLimitReached: bool.optional(),
    missingPaths: texts.optional(),
  }),
  matches: of<MatchData>({
    pattern: text,
    scopePath: text,
    matchCount: int,
    fileCount: int,
    files: texts,
    fileMatches: s.array(s.object({ path: text, count: int })).optional(),
    fileLimitReached: bool.optional(),
    perFileLimitReached: bool.optional(),
    linesTruncated: bool.optional(),
    truncated: bool.optional(),
    missingPaths: texts.optional(),
  }),
  diff: of<{ files: unknown; madeExecutable?: true } & Partial<EditData & RewriteData & PatchRunData>>({
    files: s.array(fileChange),
    madeExecutable: bool.optional(),
    diff: text.optional(),
    firstChangedLine: int.optional(),
    op: s.oneOf(["create", "update"]).optional(),
    perFileResults: list.optional(),
    totalReplacements: int.optional(),
    filesTouched: int.optional(),
    filesSearched: int.optional(),
    applied: bool.optional(),
    limitReached: bool.optional(),
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
    exitCode: int.optional(),
    signal: text.optional(),
    timedOut: bool.optional(),
    cancelled: bool.optional(),
    durationMs: s.number(),
    limit: text.optional(),
    limits: text.optional(),
    confined: bool.optional(),
    blocked: texts.optional(),
    discarded: texts.optional(),
    terminal: text.optional(),
    job: text.optional(),
    suggestedTool: text.optional(),
  }),
  table: s.object({ columns: texts, rows: s.array(texts) }),
} satisfies Record<keyof SharedData, Schema<unknown>>;

const own = Object.entries(resultKinds).map(([kind, { schema }]) => [kind, schema()] as const);

/** The data of every kind of result: those that tools share, and those of single parts. */
export const kinds: Readonly<Record<string, Schema<unknown>>> = { ...shared, ...Object.fromEntries(own) };
