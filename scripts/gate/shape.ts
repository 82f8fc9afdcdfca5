// Limits functions to 60 lines and five parameters, interfaces to 30 members and folders to 15 files. What is larger
// today is in shape.json and may only shrink. `--list [path]` prints it.
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { type Counted, finish, finishList, holdSections, type Section, tight } from "./ratchet.ts";
import { interfaceMembers, largeFunctions, parseSource } from "./syntax.ts";
import { productFiles, type SourceFile } from "./tree.ts";

type Measure = "lines" | "parameters" | "members" | "folders";

const mostLines = 100;
const split = "Split it by state and purpose.";

const ratchets: Record<Measure, Section["ratchet"]> = {
  lines: {
    unit: "lines",
    limit: 60,
    softLimit: mostLines,
    hardLimit: tight ? mostLines : undefined,
    maxEntries: 25,
    isMoved: isSameDeclaration,
    advice: split,
  },
  parameters: { unit: "parameters", limit: 5, isMoved: isSameDeclaration, advice: "Pass an object with names." },
  members: { unit: "members", limit: 30, isMoved: isSameDeclaration, advice: split },
  folders: { unit: "source files", limit: 15, maxEntries: 0, isMoved: () => true, advice: split },
};

interface Measured extends Counted {
  measure: Measure;
}

/** Sections of shape.json with the counts of today; only what is above a limit is counted. */
export function shapeSections(sources: readonly SourceFile[]): Record<Measure, Section> {
  const all = [...sources.flatMap(measureFile), ...measureFolders(sources)];
  const section = (measure: Measure): Section => {
    const ratchet = ratchets[measure];
    return { counts: highestCounts(all.filter((it) => it.measure === measure && it.count > ratchet.limit)), ratchet };
  };
  return {
    lines: section("lines"),
    parameters: section("parameters"),
    members: section("members"),
    folders: section("folders"),
  };
}

function measureFile({ path, text }: SourceFile): Measured[] {
  const tree = parseSource(text);
  const limits = { lines: ratchets.lines.limit, parameters: ratchets.parameters.limit };
  const functions = largeFunctions(tree, limits).flatMap(({ name, lines, parameters }): Measured[] => [
    { measure: "lines", key: `${path}#${name}`, count: lines },
    { measure: "parameters", key: `${path}#${name}`, count: parameters },
  ]);
  const interfaces = interfaceMembers(tree).map(
    ({ name, members }): Measured => ({ measure: "members", key: `${path}#${name}`, count: members }),
  );
  return [...functions, ...interfaces];
}

function measureFolders(sources: readonly SourceFile[]): Measured[] {
  const folders = Map.groupBy(sources, ({ path }) => dirname(path));
  return [...folders].map(([key, files]) => ({ measure: "folders", key, count: files.length }));
}

/** Functions of one name in one file share an entry, the highest. */
function highestCounts(measured: readonly Counted[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key, count } of measured) counts.set(key, Math.max(count, counts.get(key) ?? 0));
  return counts;
}

/** A declaration that moved keeps its name or its count; one that was renamed keeps its file. */
function isSameDeclaration(entry: Counted, now: Counted): boolean {
  const [[oldFile, oldName], [file, name]] = [entry.key.split("#"), now.key.split("#")];
  return oldName === name || oldFile === file || entry.count === now.count;
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
  const { lines, parameters, members, folders } = sections;
  const tooLong = [...lines.counts.values()].filter((it) => it > mostLines).length;
  finish(
    await holdSections("shape", sections),
    `${lines.counts.size} functions over 60 lines, ${tooLong} over ${mostLines}, ${parameters.counts.size} with many ` +
      `parameters, ${members.counts.size} interfaces with many members, ${folders.counts.size} large folders`,
  );
}
