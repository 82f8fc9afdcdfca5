import type { ToolResultMessage } from "@pith/llm";
import type { Entry } from "../entry.ts";

/** Files that were only read, and files that were changed; kept in the details of a summary. */
export interface FileLists {
  readFiles: string[];
  modifiedFiles: string[];
}

/** Tools of other agents whose argument `path` names a file, since their results do not. */
const readers: ReadonlySet<string> = new Set(["read"]);
const writers: ReadonlySet<string> = new Set(["write", "edit"]);
const most = 20;
/** Letters of a file name: a record may be a stranger's, and no list may fill a window. */
const longest = 240;

/**
 * Files of all entries, summed-up ones and those named by earlier summaries included, and a text that lists them in
 * about `letters` letters.
 */
export function touchedFiles(
  entries: readonly Entry[],
  letters = Number.POSITIVE_INFINITY,
  /** Further changed files. */
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
  // Changed files come first if not all can be listed.
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

/** A summary without its lists of files. */
export const withoutFiles = (summary: string): string =>
  summary.replace(/<(files|read-files|modified-files)>[\s\S]*?<\/\1>/g, "").trim();

/** A file name on one line that cannot end the list. */
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

/** Files that an earlier summary names; one made by a hook is not trusted. */
function summedUp(entry: Entry & { details?: unknown; fromExtension?: boolean }): Touched {
  const { readFiles, modifiedFiles } = (entry.details ?? {}) as Partial<FileLists>;
  return entry.fromExtension === true ? none : { read: textsIn(readFiles), modified: textsIn(modifiedFiles) };
}

/** Files that a result of ours names; edits name their files only there. */
function resultFiles({ details, toolName }: ToolResultMessage): Touched {
  const { kind, path, files, applied } = (details ?? {}) as Record<string, unknown>;
  if (kind === "diff" && applied !== false) return { read: [], modified: pathsIn({ files }) };
  if (kind !== "page" || typeof path !== "string" || path.includes("://")) return none;
  return readers.has(toolName) ? { read: [path], modified: [] } : { read: [], modified: [path] };
}

/** The call whose result names its files; results of other agents do not. */
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

/**
 * Lists files below folder headings; deeper folders have more marks, and one that only holds another is joined with it.
 */
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
