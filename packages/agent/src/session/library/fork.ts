import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Clock, fail, messageOf, ok, type Result, shortId, uuid7 } from "@pith/kit";
import { highestCited } from "../artifact.ts";
import { type Entry, formatVersion, type Header } from "../entry.ts";
import { readHead } from "../index/head.ts";
import { Journal } from "../journal.ts";
import { fileStorage } from "../store/disk.ts";
import type { SessionTree } from "../tree.ts";
import { artifactsOf, bucket, copyPlain, fileName, isPlain } from "./files.ts";
import { writeSession } from "./write.ts";

export interface ForkOptions {
  /** Session to fork. */
  file: string;
  /** Folder of all sessions. */
  sessions: string;
  /** Working directory of the new session; by default the old one's. */
  cwd?: string;
  /** The whole tree, or the path that ends at an entry. */
  take: "all" | { upTo: string | null };
  clock: Clock;
  /** Copies a folder; replaced in tests. */
  copy?: (from: string, to: string) => void;
}

export interface ForkedSession {
  file: string;
  header: Header;
  warnings: string[];
}

/** Creates a session as a copy of another, which may be in use. Blobs are shared. */
export function forkSession(fork: ForkOptions): Result<ForkedSession, "missing" | "foreign" | "unwritable"> {
  const { clock } = fork;
  const opened = Journal.open({ storage: fileStorage(fork.file), clock, onFault: () => {} }, "read");
  if (!opened.ok) return fail(opened.kind === "missing" ? "missing" : "foreign", opened.message);
  const { journal } = opened.value;
  if (fork.take !== "all" && fork.take.upTo !== null && !journal.tree.has(fork.take.upTo))
    return fail("missing", `${fork.file} has no entry ${fork.take.upTo}.`);
  const now = clock.now();
  const cwd = fork.cwd ?? journal.header.cwd;
  const { title: _, ...old } = journal.header;
  const header: Header = {
    ...old,
    version: formatVersion,
    id: uuid7(now),
    timestamp: new Date(now).toISOString(),
    cwd,
    parentSession: fork.file,
  };
  const file = join(bucket(fork.sessions, cwd), fileName(header));
  // First what may fail in parts; the session itself comes last and at once, so that nothing incomplete can be opened.
  const lost = copyArtifacts(fork.file, file, fork.copy ?? copyPlain);
  try {
    const lines = fork.take === "all" ? journal.lines() : pathLines(journal, fork.take.upTo);
    writeSession(file, header, lost === undefined ? lines : remarked(lines, lost, header.timestamp));
  } catch (error) {
    rmSync(artifactsOf(file), { recursive: true, force: true });
    return fail("unwritable", `The session could not be forked: ${messageOf(error)}`);
  } finally {
    void journal.close();
  }
  return ok({ file, header, warnings: [...opened.value.notes, ...(lost === undefined ? [] : [lost])] });
}

/** Appends a note about outputs missing in the copy, for every reader, the model included. */
function* remarked(lines: Iterable<Buffer>, text: string, timestamp: string): Generator<Buffer> {
  const taken = new Set<string>();
  let parentId: string | null = null;
  for (const line of lines) {
    parentId = readHead(line)?.id ?? parentId;
    if (parentId !== null) taken.add(parentId);
    yield line;
  }
  const id = shortId((candidate) => taken.has(candidate));
  const note = { customType: "pith.note", content: text, display: true };
  yield Buffer.from(JSON.stringify({ type: "custom_message", id, parentId, timestamp, ...note }));
}

function copyArtifacts(from: string, to: string, copy: (from: string, to: string) => void): string | undefined {
  const folder = artifactsOf(from);
  try {
    if (isPlain(folder, "isDirectory")) copy(folder, artifactsOf(to));
    else if (highestCited(from) >= 0) throw new Error(`${folder} is no folder`);
    return undefined;
  } catch (error) {
    rmSync(artifactsOf(to), { recursive: true, force: true });
    const consequence = "every artifact:// named above is gone in this copy.";
    return `The saved outputs of the session could not be copied (${messageOf(error)}): ${consequence}`;
  }
}

/** The path, plus labels and settled input that stand elsewhere in the tree. */
function pathEntries(tree: SessionTree, upTo: string | null): Entry[] {
  const path = upTo === null ? [] : tree.pathTo(upTo);
  let parentId = upTo;
  const more = [...labelsElsewhere(tree, path), ...settledElsewhere(tree, path)].map((entry) => {
    const hung = { ...entry, parentId };
    parentId = entry.id;
    return hung;
  });
  return [...path, ...more];
}

function labelsElsewhere(tree: SessionTree, path: readonly Entry[]): Entry[] {
  const onPath = new Set(path.map((entry) => entry.id));
  const copied = new Map<string, string>();
  for (const entry of path) if (entry.type === "label") copied.set(entry.targetId, entry.label ?? "");
  const labels = tree.labels();
  const elsewhere: Entry[] = [];
  for (const entry of tree.all()) {
    if (entry.type !== "label" || onPath.has(entry.id) || !onPath.has(entry.targetId)) continue;
    const standing = labels.get(entry.targetId) ?? "";
    if ((entry.label ?? "") !== standing || copied.get(entry.targetId) === standing) continue;
    copied.set(entry.targetId, standing);
    elsewhere.push(entry);
  }
  return elsewhere;
}

/** Marks input as settled that was delivered or withdrawn on another branch; else it would wait again in the copy. */
function settledElsewhere(tree: SessionTree, path: readonly Entry[]): Entry[] {
  const leaf = path.at(-1);
  if (!leaf) return [];
  const waiting = new Set(tree.queued(leaf.id).map((entry) => entry.id));
  const settled = new Set(path.map(settledBy));
  return path
    .filter((entry) => entry.type === "custom" && entry.customType === "pith.inbox")
    .filter((entry) => !waiting.has(entry.id) && !settled.has(entry.id))
    .map((entry) => ({
      type: "custom",
      id: shortId((id) => tree.has(id)),
      parentId: null,
      timestamp: leaf.timestamp,
      customType: "pith.withdrawn",
      data: { inbox: entry.id },
    }));
}

/** The queued input that an entry delivers or withdraws. */
function settledBy(entry: Entry): string | undefined {
  if (entry.type === "message") return entry.inbox;
  return entry.type === "custom" && entry.customType === "pith.withdrawn"
    ? (entry.data as { inbox?: string } | undefined)?.inbox
    : undefined;
}

/** Lines of a path, unchanged where possible, so that data of a newer pith is kept. */
function* pathLines(journal: Journal, upTo: string | null): Generator<Buffer> {
  const entries = pathEntries(journal.tree, upTo);
  const parents = new Map(entries.map(({ id, parentId }) => [id, parentId]));
  const lines = new Map<string, Buffer>();
  for (const line of journal.lines()) {
    const head = readHead(line);
    if (head && parents.get(head.id) === head.parentId && !lines.has(head.id)) lines.set(head.id, Buffer.from(line));
  }
  for (const entry of entries) yield lines.get(entry.id) ?? Buffer.from(JSON.stringify(entry));
}
