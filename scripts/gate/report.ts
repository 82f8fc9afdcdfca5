// Prints the size of the project in figures: `node bin/bun scripts/gate/report.ts [--without coder/bash,coder/judge]`.
// Tests and what only tests use are not counted, except for doc comments.
import { parseArgs } from "node:util";
import { shapeSections } from "./shape.ts";
import { pronounComments } from "./style.ts";
import { conditionalSpreads, interfaceMembers, parseSource } from "./syntax.ts";
import { isProduct, type SourceFile, sourceFiles } from "./tree.ts";
import { wordSections } from "./words.ts";

/** A row for each package, then the total. */
function packageRows(sources: readonly SourceFile[], rooms: readonly string[]): string[][] {
  const packages = [...new Set(sources.map(({ path }) => homeOf(path)))].sort();
  const head = ["", "files", "lines", "lines without", "doc pronouns", "// pronouns", "over 60", "over 100", "folders"];
  const rows = packages.map((home) => [
    home,
    ...figuresOf(
      sources.filter((it) => homeOf(it.path) === home),
      rooms,
    ),
  ]);
  return [head, ...rows.map((row) => row.map(String)), ["all", ...figuresOf(sources, rooms).map(String)]];
}

function figuresOf(sources: readonly SourceFile[], rooms: readonly string[]): number[] {
  const product = sources.filter(({ path }) => isProduct(path));
  const isLeftOut = ({ path }: SourceFile) =>
    rooms.some((room) => path.startsWith(`packages/${room.replace("/", "/src/")}/`));
  const { lines, folders } = shapeSections(product);
  const pronouns = (form: "doc" | "line") => sum(sources.map((it) => pronounComments(it, form).length));
  return [
    product.length,
    sum(product.map(linesOf)),
    sum(product.filter((it) => !isLeftOut(it)).map(linesOf)),
    pronouns("doc"),
    pronouns("line"),
    lines.counts.size,
    [...lines.counts.values()].filter((count) => count > 100).length,
    folders.counts.size,
  ];
}

/** Interfaces of coder with many members; `Hall`, `House` and `Coder` always, with what other files add to them. */
function interfaceRows(sources: readonly SourceFile[]): string[] {
  const coder = sources.filter(({ path }) => path.startsWith("packages/coder/src/") && isProduct(path));
  const all = coder.flatMap(({ path, text }) => interfaceMembers(parseSource(text)).map((it) => ({ ...it, path })));
  const inAll = (name: string) => sum(all.filter((it) => it.name === name).map((it) => it.members));
  return all
    .filter(({ name, members }) => members > 30 || (/^(?:Hall|House|Coder)$/.test(name) && members * 2 > inAll(name)))
    .map(({ name, members, path }) => `${name}: ${members} members in ${path}, ${inAll(name)} in all files`);
}

const homeOf = (path: string) => path.split("/")[path.startsWith("packages/") ? 1 : 0] ?? "";
const linesOf = ({ text }: SourceFile) => text.split("\n").length - 1;
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

function namesInManyFiles(sources: readonly SourceFile[]): string {
  const { types, functions } = wordSections(sources.filter(({ path }) => isProduct(path)));
  const [manyTypes, manyFunctions] = [types, functions].map(
    ({ counts, ratchet }) => [...counts.values()].filter((count) => count > ratchet.limit).length,
  );
  return `names in more than two files: ${manyTypes} types, ${manyFunctions} functions`;
}

const { values } = parseArgs({ options: { without: { type: "string" } } });
const sources = await sourceFiles();
for (const row of packageRows(sources, values.without?.split(",") ?? []))
  process.stdout.write(`| ${row.map((cell, at) => (at === 0 ? cell.padEnd(8) : cell.padStart(13))).join(" | ")} |\n`);
const spreads = sum(
  sources.filter(({ path }) => isProduct(path)).map(({ text }) => conditionalSpreads(parseSource(text))),
);
for (const line of [namesInManyFiles(sources), ...interfaceRows(sources), `conditional spreads: ${spreads}`])
  process.stdout.write(`${line}\n`);
