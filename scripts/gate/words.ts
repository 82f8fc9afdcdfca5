// One word, one meaning: an exported type or function has a name that at most two files declare. A name in more files
// is in words.json, with a reason if it is meant to stay. `--list [--under packages/x]` prints all such names.
import { parseArgs } from "node:util";
import { finish, finishList, holdSections, type Section, tight } from "./ratchet.ts";
import { type Declaration, exportedDeclarations, parseSource } from "./syntax.ts";
import { productFiles, type SourceFile } from "./tree.ts";

const mostFiles = 2;

/** Files that declare and export each name of one kind. */
export function filesByName(sources: readonly SourceFile[]): Record<Declaration["kind"], Map<string, string[]>> {
  const names = { type: new Map<string, string[]>(), function: new Map<string, string[]>() };
  for (const { path, text } of sources)
    for (const { kind, name } of exportedDeclarations(parseSource(text))) {
      const files = names[kind].get(name) ?? [];
      if (!files.includes(path)) names[kind].set(name, [...files, path]);
    }
  return names;
}

/** Both sections of words.json with the number of files today. */
export function wordSections(sources: readonly SourceFile[]): Record<"types" | "functions", Section> {
  const names = filesByName(sources);
  const advice = "Give each a name that says whose it is.";
  const ratchet = { unit: "files that declare it", limit: mostFiles, needsReason: tight, advice };
  const count = (files: Map<string, string[]>) => new Map([...files].map(([name, { length }]) => [name, length]));
  return {
    types: { counts: count(names.type), ratchet: { ...ratchet, maxEntries: 5 } },
    functions: { counts: count(names.function), ratchet: { ...ratchet, maxEntries: 10 } },
  };
}

/** Names in too many files, the most first; with `under` only those that also stand below that folder. */
export function listNames(sources: readonly SourceFile[], under = ""): string[] {
  const names = filesByName(sources);
  return (["type", "function"] as const).flatMap((kind) =>
    [...names[kind]]
      .filter(([, files]) => files.length > mostFiles && files.some((file) => file.startsWith(under)))
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([name, files]) => [`${kind} ${name}: ${files.length} files`, ...files].join("\n  ")),
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { list: { type: "boolean" }, write: { type: "boolean" }, under: { type: "string" } },
  });
  const sources = await productFiles();
  if (values.list) finishList(listNames(sources, values.under));
  const sections = wordSections(sources);
  const many = ({ counts }: Section) => [...counts.values()].filter((it) => it > mostFiles).length;
  const { types, functions } = sections;
  const summary = `${many(types)} types and ${many(functions)} functions in more than ${mostFiles} files`;
  finish(await holdSections("words", sections), summary);
}
