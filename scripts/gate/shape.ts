// Functions of one screen, few parameters, folders that fit a list on the screen. What is larger today is in
// shape.json and may only shrink. `--list [path]` prints all that is too large.
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { type Counted, finish, finishList, holdSections, type Section } from "./ratchet.ts";
import { largeFunctions } from "./syntax.ts";
import { productFiles, type SourceFile } from "./tree.ts";

const limits = { lines: 60, parameters: 5, folder: 15 };
const mostLines = 100;

/** Sections of shape.json with the counts of today; only what is above a limit is counted. */
export function shapeSections(sources: readonly SourceFile[]): Record<"lines" | "parameters" | "folders", Section> {
  const functions = sources.flatMap(({ path, text }) =>
    largeFunctions(text, limits).map((it) => ({ ...it, key: `${path}#${it.name}` })),
  );
  const largest = (part: "lines" | "parameters") =>
    countMost(functions.map((it) => ({ key: it.key, count: it[part] })).filter(({ count }) => count > limits[part]));
  const split = "Split it by state and purpose.";
  const names = "Pass an object with names.";
  const rest = { isMoved: isSameFunction };
  return {
    lines: {
      counts: largest("lines"),
      ratchet: { ...rest, unit: "lines", limit: limits.lines, softLimit: mostLines, advice: split },
    },
    parameters: {
      counts: largest("parameters"),
      ratchet: { ...rest, unit: "parameters", limit: limits.parameters, advice: names },
    },
    folders: {
      counts: countFolders(sources),
      ratchet: { unit: "source files", limit: limits.folder, isMoved: () => true, advice: split },
    },
  };
}

/** The highest count of each key: functions of one name in one file share an entry. */
function countMost(functions: readonly Counted[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key, count } of functions) counts.set(key, Math.max(count, counts.get(key) ?? 0));
  return counts;
}

/** A function that moved keeps its name or its length; one that was renamed keeps its file. */
function isSameFunction(entry: Counted, now: Counted): boolean {
  const [[oldFile, oldName], [file, name]] = [entry.key.split("#"), now.key.split("#")];
  return oldName === name || oldFile === file || entry.count === now.count;
}

function countFolders(sources: readonly SourceFile[]): Map<string, number> {
  const folders = new Map<string, number>();
  for (const { path } of sources) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  return new Map([...folders].filter(([, count]) => count > limits.folder));
}

/** Entries of one section whose path begins with `under`, the largest first. */
function listSection({ counts, ratchet }: Section, under: string): string[] {
  return [...counts]
    .filter(([key]) => key.startsWith(under))
    .sort(([, a], [, b]) => b - a)
    .map(([key, count]) => `${count} ${ratchet.unit}  ${key}`);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { list: { type: "boolean" }, write: { type: "boolean" } },
    allowPositionals: true,
  });
  const sections = shapeSections(await productFiles());
  if (values.list) finishList(Object.values(sections).flatMap((it) => listSection(it, positionals[0] ?? "")));
  const { lines, parameters, folders } = sections;
  const tooLong = [...lines.counts.values()].filter((it) => it > mostLines).length;
  finish(
    await holdSections("shape", sections),
    `${lines.counts.size} functions over ${limits.lines} lines, ${tooLong} over ${mostLines}, ` +
      `${parameters.counts.size} with many parameters, ${folders.counts.size} large folders`,
  );
}
