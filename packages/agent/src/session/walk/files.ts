import type { Entry } from "../entry.ts";

/** Files that were read and not changed, and files that were changed: what a summary keeps in its details. */
export interface Files {
  readFiles: string[];
  modifiedFiles: string[];
}

const readers: ReadonlySet<string> = new Set(["read"]);
const writers: ReadonlySet<string> = new Set(["write", "edit"]);
const most = 20;

/**
 * Files of all entries, those that no longer fit into a request included, and those that earlier summaries name; and
 * the text that tells them.
 */
export function filesOf(entries: readonly Entry[]): { details: Files; text: string } {
  const modified = new Set(
    entries.flatMap((entry) => [...(knownFiles(entry).modifiedFiles ?? []), ...pathsOf(entry, writers)]),
  );
  const read = new Set(
    entries.flatMap((entry) => [...(knownFiles(entry).readFiles ?? []), ...pathsOf(entry, readers)]),
  );
  const details = {
    readFiles: [...read].filter((path) => !modified.has(path)).sort(),
    modifiedFiles: [...modified].sort(),
  };
  const all = [...new Set([...modified, ...read])].sort();
  if (all.length === 0) return { details, text: "" };
  const mark = (path: string) => (modified.has(path) ? (read.has(path) ? "RW" : "Write") : "Read");
  const lines = treeLines(all.slice(0, most), mark);
  const more = all.length > most ? [`… (${all.length - most} more files omitted)`] : [];
  return { details, text: ["<files>", ...lines, ...more, "</files>"].join("\n") };
}

/** A summary without the lists of files that it, or an earlier program, was given. */
export const withoutFiles = (summary: string): string =>
  summary.replace(/<(files|read-files|modified-files)>[\s\S]*?<\/\1>/g, "").trim();

const knownFiles = (entry: Entry): Partial<Files> =>
  entry.type === "compaction" || entry.type === "branch_summary"
    ? ((entry.details as Partial<Files> | undefined) ?? {})
    : {};

function pathsOf(entry: Entry, tools: ReadonlySet<string>): string[] {
  if (entry.type !== "message" || entry.message.role !== "assistant") return [];
  return entry.message.content.flatMap((part) =>
    part.type === "toolCall" && tools.has(part.name) && typeof part.arguments.path === "string"
      ? [part.arguments.path]
      : [],
  );
}

interface Folder {
  folders: Map<string, Folder>;
  files: string[];
}

/** A folder is a heading, deeper ones have more marks; one that holds nothing but another is named together with it. */
function treeLines(paths: readonly string[], mark: (path: string) => string): string[] {
  const root: Folder = { folders: new Map(), files: [] };
  for (const path of paths) {
    const steps = path.split("/");
    const name = steps.pop() ?? path;
    let at = root;
    for (const step of steps) {
      const next = at.folders.get(step) ?? { folders: new Map(), files: [] };
      at.folders.set(step, next);
      at = next;
    }
    at.files.push(`${name} (${mark(path)})`);
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
