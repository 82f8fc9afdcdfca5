import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readPlain } from "@pith/kit";

const most = { lines: 60, name: 40, folder: 64 * 1024 };
/** What nobody wants to see the inside of. */
const closed = new Set(["node_modules", "dist", "build", "target", "vendor", "out", "coverage", "__pycache__"]);

/**
 * What stands in a folder and in its folders, one line each. The first level is told before the second; what does not
 * fit is counted. Names only, and no link is followed.
 */
export function treeOf(folder: string): string[] {
  const ignored = ignoredIn(folder);
  const seen = (name: string) => !name.startsWith(".") && !ignored.has(name);
  const top = entriesOf(folder)?.filter(({ name }) => seen(name));
  if (!top) return [];
  let room = most.lines - Math.min(top.length, most.lines);
  const shown = top.length > most.lines ? top.slice(0, most.lines - 1) : top;
  const lines = shown.flatMap((entry) => {
    if (!entry.isDirectory()) return [plain(entry.name)];
    const head = `${plain(entry.name)}/`;
    const inner = room > 0 && !closed.has(entry.name) ? entriesOf(join(folder, entry.name)) : undefined;
    const names = inner?.filter(({ name }) => seen(name)) ?? [];
    if (names.length === 0) return [head];
    const fits = names.length <= room ? names.length : room - 1;
    room -= Math.min(names.length, room);
    const rows = names.slice(0, fits).map((one) => `  ${plain(one.name)}${one.isDirectory() ? "/" : ""}`);
    return [head, ...rows, ...(fits < names.length ? [`  … ${names.length - fits} more`] : [])];
  });
  return [...lines, ...(shown.length < top.length ? [`… ${top.length - shown.length} more`] : [])];
}

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
