import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readPlain } from "@pith/kit";

const most = { lines: 60, name: 40, folder: 64 * 1024 };
/** What nobody wants to see the inside of. */
const closed = new Set(["node_modules", "dist", "build", "target", "vendor", "out", "coverage", "__pycache__"]);

/**
 * What stands in a folder and in its folders, one line each. The first level is told before the second, of which every
 * folder has its share; what does not fit is counted. Names only, and no link is followed.
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
    // Where not all fit, its folders tell more of a project than its files.
    const first =
      fits < names.length ? names.toSorted((a, b) => Number(b.isDirectory()) - Number(a.isDirectory())) : names;
    const rows = first.slice(0, Math.max(0, fits)).map((one) => `  ${nameOf(one)}`);
    return [nameOf(entry), ...rows, ...(fits < names.length && share > 0 ? [`  … ${names.length - fits} more`] : [])];
  });
  return [...lines, ...(shown.length < top.length ? [`… ${top.length - shown.length} more`] : [])];
}

/** The most lines that a folder may have so that all of them fit: small ones leave theirs to the others. */
function shareOf(folders: readonly (readonly Dirent[])[], room: number): number {
  let share = room;
  while (share > 0 && folders.reduce((sum, { length }) => sum + Math.min(length, share), 0) > room) share--;
  return share;
}

const nameOf = (entry: Dirent): string => `${plain(entry.name)}${entry.isDirectory() ? "/" : ""}`;

/** A folder so large that reading it would take time says so by its own size; nobody waits for that. */
function entriesOf(folder: string): Dirent[] | undefined {
  try {
    if (statSync(folder).size > most.folder) return undefined;
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return undefined;
  }
}

/** Plain names of the ignore file; its patterns are not worth their price here. */
function ignoredIn(folder: string): ReadonlySet<string> {
  const file = readPlain(join(folder, ".gitignore"), { maxBytes: 64 * 1024, within: folder });
  const names = file.ok ? file.value.split("\n").map((line) => /^\/?([\w.-]+)\/?\s*$/.exec(line)?.[1]) : [];
  return new Set(names.filter((name) => name !== undefined));
}

/** Names are a stranger's: what could end the line or the block stands as its code, and nothing is long. */
export function plain(text: string, longest = most.name): string {
  const safe = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>]/gu, (bad) => `\\u{${bad.codePointAt(0)?.toString(16)}}`);
  return safe.length > longest ? `${safe.slice(0, longest).toWellFormed()}…` : safe;
}
