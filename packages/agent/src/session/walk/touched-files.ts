import type { ToolResultMessage } from "@pith/llm";
import type { Entry } from "../entry.ts";

/** Files that were read and not changed, and files that were changed: what a summary keeps in its details. */
export interface FileLists {
  readFiles: string[];
  modifiedFiles: string[];
}

/** Of another agent's session, whose results do not say it: the tools whose argument `path` does. */
const readers: ReadonlySet<string> = new Set(["read"]);
const writers: ReadonlySet<string> = new Set(["write", "edit"]);
const most = 20;
/** Letters of a name that are told: a record may be a stranger's, and no list fills a window. */
const longest = 240;

/**
 * Files of all entries, those that no longer fit into a request included, and those that earlier summaries of ours
 * name; and the text that tells them, in about so many letters.
 */
export function touchedFiles(
  entries: readonly Entry[],
  letters = Number.POSITIVE_INFINITY,
  /** What was changed beside them. */
  changed: readonly string[] = [],
): { details: FileLists; text: string } {
  const modified = new Set<string>(changed);
  const read = new Set<string>();
  const told = new Set(entries.flatMap(toldBy));
  for (const entry of entries) {
    const files = filesIn(entry, told);
    for (const path of files.modified) modified.add(path);
    for (const path of files.read) read.add(path);
  }
  const details = {
    readFiles: [...read].filter((path) => !modified.has(path)).sort(),
    modifiedFiles: [...modified].sort(),
  };
  // What was changed is named first where not all can be.
  const all = [...details.modifiedFiles, ...details.readFiles];
  if (all.length === 0) return { details, text: "" };
  const mark = (path: string) => (modified.has(path) ? (read.has(path) ? "RW" : "Write") : "Read");
  const rows: [path: string, mark: string][] = [];
  let room = letters;
  for (const path of all.slice(0, most)) {
    const name = nameIn(path);
    if (name.length > room) continue;
    room -= name.length;
    rows.push([name, mark(path)]);
  }
  const lines = treeLines(rows.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  const more = all.length > rows.length ? [`… (${all.length - rows.length} more files omitted)`] : [];
  return { details, text: ["<files>", ...lines, ...more, "</files>"].join("\n") };
}

/** A summary without the lists of files that it, or an earlier program, was given. */
export const withoutFiles = (summary: string): string =>
  summary.replace(/<(files|read-files|modified-files)>[\s\S]*?<\/\1>/g, "").trim();

/** A name on one line that ends no list. */
function nameIn(path: string): string {
  const line = path.replace(/[\p{Cc}<>]+/gu, "?");
  return line.length <= longest ? line : `${line.slice(0, longest / 2)}…${line.slice(-longest / 2)}`.toWellFormed();
}

interface Touched {
  read: readonly string[];
  modified: readonly string[];
}
const none: Touched = { read: [], modified: [] };

function filesIn(entry: Entry, told: ReadonlySet<string>): Touched {
  if (entry.type === "compaction" || entry.type === "branch_summary") return summedUp(entry);
  if (entry.type === "custom")
    return entry.customType === "pith.changed" ? { read: [], modified: pathsIn(entry.data) } : none;
  if (entry.type !== "message") return none;
  if (entry.message.role === "toolResult") return resultFiles(entry.message);
  if (entry.message.role !== "assistant") return none;
  const calls = entry.message.content.flatMap((part) =>
    part.type === "toolCall" && !told.has(part.id) && typeof part.arguments.path === "string"
      ? [{ name: part.name, path: part.arguments.path }]
      : [],
  );
  const by = (tools: ReadonlySet<string>) => calls.filter(({ name }) => tools.has(name)).map(({ path }) => path);
  return { read: by(readers), modified: by(writers) };
}

/** What an earlier summary names; one that a hook made may name anything. */
function summedUp(entry: Entry & { details?: unknown; fromExtension?: boolean }): Touched {
  const { readFiles, modifiedFiles } = (entry.details ?? {}) as Partial<FileLists>;
  return entry.fromExtension === true ? none : { read: textsIn(readFiles), modified: textsIn(modifiedFiles) };
}

/** What a result of ours says of itself, whatever the call was: edits name their files only there. */
function resultFiles({ details, toolName }: ToolResultMessage): Touched {
  const { kind, path, files, applied } = (details ?? {}) as Record<string, unknown>;
  if (kind === "diff" && applied !== false) return { read: [], modified: pathsIn({ files }) };
  if (kind !== "page" || typeof path !== "string" || path.includes("://")) return none;
  return readers.has(toolName) ? { read: [path], modified: [] } : { read: [], modified: [path] };
}

/** The call whose result tells what it did; of other agents' none does. */
const toldBy = (entry: Entry): string[] =>
  entry.type === "message" && entry.message.role === "toolResult" && typeof entry.message.details?.kind === "string"
    ? [entry.message.toolCallId]
    : [];

const pathsIn = (data: unknown): string[] => {
  const { files } = (data ?? {}) as { files?: unknown };
  return Array.isArray(files) ? textsIn(files.map((file) => file?.path)) : [];
};
const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : [];

interface Folder {
  folders: Map<string, Folder>;
  files: string[];
}

/** A folder is a heading, deeper ones have more marks; one that holds nothing but another is named together with it. */
function treeLines(rows: readonly (readonly [path: string, mark: string])[]): string[] {
  const root: Folder = { folders: new Map(), files: [] };
  for (const [path, mark] of rows) {
    const steps = path.split("/");
    const name = steps.pop() ?? path;
    let at = root;
    for (const step of steps) {
      const next = at.folders.get(step) ?? { folders: new Map(), files: [] };
      at.folders.set(step, next);
      at = next;
    }
    at.files.push(`${name} (${mark})`);
  }
  return folderLines(root, 1);
}

function folderLines(folder: Folder, depth: number): string[] {
  const below = [...folder.folders].flatMap(([name, inner]) => {
    const [path, last] = folded(name, inner);
    return [`${"#".repeat(depth)} ${path}/`, ...folderLines(last, depth + 1)];
  });
  return [...folder.files, ...below];
}

function folded(path: string, folder: Folder): [string, Folder] {
  const [[name, inner] = [], ...others] = folder.folders;
  return folder.files.length > 0 || others.length > 0 || name === undefined || inner === undefined
    ? [path, folder]
    : folded(`${path}/${name}`, inner);
}
