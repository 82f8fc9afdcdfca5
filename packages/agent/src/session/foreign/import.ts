import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail, hasher, messageOf, ok, type Result, readPlain } from "@pith/kit";
import { messagesOf } from "../convert.ts";
import { type Entry, type EntryDraft, formatVersion, type Header } from "../entry.ts";
import { toLine } from "../format/line.ts";
import { parseObject } from "../index/head.ts";
import { Journal, type PlacedDraft } from "../journal.ts";
import { bucket, fileName } from "../library/files.ts";
import { writeSession } from "../library/write.ts";
import type { Blobs } from "../store/blob.ts";
import { fileStorage } from "../store/disk.ts";
import type { SessionTree } from "../tree.ts";
import { readClaude } from "./claude.ts";
import { readCodex } from "./codex.ts";
import type { ForeignSession, Json, TimedDraft } from "./read.ts";

export type ImportSource = "claude" | "codex";

const readers: Record<ImportSource, (lines: readonly Json[]) => ForeignSession | undefined> = {
  claude: readClaude,
  codex: readCodex,
};

export interface ImportOptions {
  /** Folder of all sessions. */
  sessions: string;
  blobs: Blobs;
  /** Files of sessions by id, where they are not in the usual place. */
  known?: ReadonlyMap<string, string>;
}

export interface ImportResult {
  file: string;
  done: "imported" | "grown" | "known";
  /** Last imported entry, if the conversation went on here meanwhile and stays where it was. */
  aside?: string | undefined;
}

const longestFile = 1 << 29;

/** Imports a session file of another program under its id; of one imported before, only what is new. */
export async function importSession(
  source: ImportSource,
  file: string,
  { sessions, blobs, known }: ImportOptions,
): Promise<Result<ImportResult, "foreign" | "unwritable">> {
  const read = readPlain(file, { maxBytes: longestFile });
  if (!read.ok) return fail("foreign", `${file} cannot be read: ${read.message}.`);
  const lines = read.value.replace(/^\ufeff/, "").split("\n");
  const foreign = readers[source](lines.map(parseObject).filter((line) => line !== undefined));
  if (!foreign || foreign.drafts.length === 0) return fail("foreign", `${file} holds no conversation of ${source}.`);
  // Both become parts of the file name.
  const [id, time] = [foreign.id.replace(/[^\w-]/g, "_"), Date.parse(foreign.timestamp) || 0];
  const timestamp = new Date(time).toISOString();
  const header: Header = { type: "session", version: formatVersion, id, timestamp, cwd: foreign.cwd };
  const usual = join(bucket(sessions, foreign.cwd), fileName(header));
  const target = existsSync(usual) ? usual : known?.get(id.toLowerCase());
  try {
    const added = target === undefined ? undefined : await addNew(target, foreign, blobs);
    if (added) return added;
    // An unrelated session has this name, or it was imported in another way.
    if (target === usual) return ok({ file: usual, done: "known" });
    writeSession(usual, header, linesOf([...chained(foreign.drafts), ...ending(foreign)], blobs));
    return ok({ file: usual, done: "imported" });
  } catch (error) {
    return fail("unwritable", `${file} could not be imported: ${messageOf(error)}`);
  }
}

/**
 * Entries with ids derived from their content and all before them: imported entries are recognised, and diverging
 * versions become branches.
 */
function chained(drafts: readonly TimedDraft[]): PlacedDraft[] {
  const ids = new Map<string, string>();
  let id = "";
  return drafts.map(({ draft, timestamp, origin, mark }) => {
    id = hasher("sha1")
      .update(JSON.stringify([id, timestamp, draft]))
      .digest("hex")
      .slice(0, 12);
    if (origin !== undefined && !ids.has(origin)) ids.set(origin, id);
    // A summary of all before it keeps none of that.
    const kept: EntryDraft =
      draft.type === "compaction" ? { ...draft, firstKeptEntryId: ids.get(draft.firstKeptEntryId) ?? id } : draft;
    // Not part of the id, so that a session imported before marks were kept is recognised.
    return { ...marked(kept, mark), id, timestamp };
  });
}

/** The draft with its mark. The kind says that a result without one was looked at. */
function marked(draft: EntryDraft, mark: TimedDraft["mark"]): EntryDraft {
  const meta = mark && { meta: { origin: mark } };
  if (draft.type === "compaction") return meta ? { ...draft, details: meta } : draft;
  if (draft.type !== "message") return draft;
  if (draft.message.role === "toolResult")
    return { ...draft, message: { ...draft.message, details: { kind: "prose", ...meta } } };
  return mark ? { ...draft, origin: mark } : draft;
}

const markType = "pith.imported";

/** Title, and a mark after the imported part. */
function ending({ title, drafts }: ForeignSession, named?: string): PlacedDraft[] {
  const timestamp = drafts.at(-1)?.timestamp ?? "";
  const name: PlacedDraft[] = title && title !== named ? [{ type: "session_info", name: title, timestamp }] : [];
  return [...name, { type: "custom", customType: markType, data: { title }, timestamp }];
}

/** Adds new entries to an imported session; undefined if its beginning differs. */
async function addNew(
  file: string,
  foreign: ForeignSession,
  blobs: Blobs,
): Promise<Result<ImportResult, "unwritable"> | undefined> {
  const recording = () => ({ storage: fileStorage(file), blobs, clock: { now: () => 0 } });
  const seen = Journal.open(recording(), "read");
  if (!seen.ok) return fail("unwritable", seen.message);
  const entries = chained(foreign.drafts);
  const { fresh, from } = freshIn(seen.value.journal.tree, entries);
  const mark = seen.value.journal.tree.lastCustom(markType)?.data as { title?: unknown } | undefined;
  await seen.value.journal.close();
  if (from === undefined) return undefined;
  if (fresh.length === 0 && mark?.title === foreign.title) return ok({ file, done: "known" });
  const opened = Journal.open(recording());
  if (!opened.ok) return fail("unwritable", opened.message);
  const { journal } = opened.value;
  const { tree } = journal;
  const { leaf } = tree;
  const went = wentOn(tree);
  // A name given here is kept.
  const named = tree.name === mark?.title ? tree.name : foreign.title;
  if (fresh.length > 0 && (went || lastSaid(tree) !== from)) tree.moveTo(from);
  const last = journal.appendAll(fresh).at(-1);
  if (went) tree.moveTo(leaf);
  journal.appendAll(ending(foreign, named));
  await journal.close();
  return ok({ file, done: "grown", aside: went ? last?.id : undefined });
}

/** Entries that are not in the tree yet, and the one they follow; undefined if the tree begins differently. */
function freshIn(
  tree: SessionTree,
  entries: readonly PlacedDraft[],
): { fresh: readonly PlacedDraft[]; from: string | undefined } {
  const at = entries.findIndex(({ id }) => id === undefined || !tree.has(id));
  return { fresh: at === -1 ? [] : entries.slice(at), from: entries[at === -1 ? entries.length - 1 : at - 1]?.id };
}

/** True if something was said after the last import. */
function wentOn(tree: SessionTree): boolean {
  for (const entry of tree.back()) {
    if (entry.type === "custom" && entry.customType === markType) return false;
    if (messagesOf(entry).length > 0) return true;
  }
  return false;
}

const lastSaid = (tree: SessionTree): string | undefined =>
  tree.back().find((entry: Entry) => messagesOf(entry).length > 0)?.id;

function* linesOf(placed: readonly PlacedDraft[], blobs: Blobs): Generator<Buffer> {
  let parentId: string | null = null;
  for (const [at, { type, id = `imported-${at}`, ...rest }] of placed.entries()) {
    yield Buffer.from(toLine({ type, id, parentId, ...rest } as Entry, blobs));
    parentId = id;
  }
}
