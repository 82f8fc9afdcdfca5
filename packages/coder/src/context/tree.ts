import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readPlain, tryOr } from "@pith/kit";

const most = { lines: 60, name: 40, folder: 64 * 1024 };
/** Folders whose content is not listed. */
const closed = new Set(["node_modules", "dist", "build", "target", "vendor", "out", "coverage", "__pycache__"]);

/**
 * Lists a folder and its folders, one name per line, without following links. When there are too many names, the first
 * level comes before the second, each folder gets an equal share, and the rest is counted.
 */
export function treeOf(folder: string): string[] {
  const ignored = ignoredIn(folder);
  const seen = ({ name }: Dirent) => !name.startsWith(".") && !ignored.has(name);
  const top = entriesOf(folder)?.filter(seen);
  if (!top) return [];
  const shown = top.length > most.lines ? top.slice(0, most.lines - 1) : top;
  const inside = (entry: Dirent): Dirent[] =>
    entry.isDirectory() && !closed.has(entry.name) ? (entriesOf(join(folder, entry.name))?.filter(seen) ?? []) : [];
  const room = most.lines - top.length;
  const inner = shown.map((entry) => (room > 0 ? inside(entry) : []));
  const share = shareOf(inner, room);
  const lines = shown.flatMap((entry, at) => {
    const names = inner[at] ?? [];
    const fits = names.length <= share ? names.length : share - 1;
    // When not all fit, folders come before files.
    const first =
      fits < names.length ? names.toSorted((a, b) => Number(b.isDirectory()) - Number(a.isDirectory())) : names;
    const rows = first.slice(0, Math.max(0, fits)).map((one) => `  ${nameOf(one)}`);
    return [nameOf(entry), ...rows, ...(fits < names.length && share > 0 ? [`  … ${names.length - fits} more`] : [])];
  });
  return [...lines, ...(shown.length < top.length ? [`… ${top.length - shown.length} more`] : [])];
}

/** Returns the most lines that a folder may have so that all fit; small folders leave room to others. */
function shareOf(folders: readonly (readonly Dirent[])[], room: number): number {
  let share = room;
  while (share > 0 && folders.reduce((sum, { length }) => sum + Math.min(length, share), 0) > room) share--;
  return share;
}

const nameOf = (entry: Dirent): string => `${plain(entry.name)}${entry.isDirectory() ? "/" : ""}`;

/** Reads a folder, unless it is so large that reading would take long. */
const entriesOf = (folder: string): Dirent[] | undefined =>
  tryOr(() => {
    if (statSync(folder).size > most.folder) return undefined;
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  });

/** Reads plain names from the ignore file; patterns are left out to save time. */
function ignoredIn(folder: string): ReadonlySet<string> {
  const file = readPlain(join(folder, ".gitignore"), { maxBytes: 64 * 1024, within: folder });
  const names = file.ok ? file.value.split("\n").map((line) => /^\/?([\w.-]+)\/?\s*$/.exec(line)?.[1]) : [];
  return new Set(names.filter((name) => name !== undefined));
}

/** Makes a stranger's text safe within a prompt: shortened, with control characters and brackets escaped. */
export function plain(text: string, longest = most.name): string {
  const safe = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>]/gu, (bad) => `\\u{${bad.codePointAt(0)?.toString(16)}}`);
  return safe.length > longest ? `${safe.slice(0, longest).toWellFormed()}…` : safe;
}
