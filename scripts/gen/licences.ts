// The licences of what a package of pith carries inside: the libraries that were built into it, and the data.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../gate/tree.ts";

/** One text of them all. `built` is what a build has written: it names the files that it was made of. */
export function licences(built: readonly string[]): string {
  const libraries = new Map([...namedIn(built), ...declared()].map((folder) => [nameOf(folder), folder]));
  const sections = [...libraries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, folder]) => [name, library(folder)]);
  return [...sections, ...data()].map(([head, text]) => `${head}\n${"=".repeat(70)}\n\n${text?.trim()}\n`).join("\n\n");
}

const namedIn = (built: readonly string[]): string[] =>
  built.flatMap((text) =>
    [...text.matchAll(/^\/\/ (node_modules\/\S*node_modules\/(?:@[^/\s]+\/)?[^/\s]+)\//gm)].map(([, folder = ""]) =>
      join(root, folder),
    ),
  );

/** What is built into a text of its own, such as the readers of documents, is named in no other. */
function declared(): string[] {
  const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  return packages.flatMap((folder) => {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) return [];
    const { dependencies = {} } = JSON.parse(readFileSync(manifest, "utf8")) as {
      dependencies?: Record<string, string>;
    };
    const others = Object.keys(dependencies).filter((name) => !name.startsWith("@pith/"));
    return others.map((name) => join(folder, "node_modules", name)).filter((place) => existsSync(place));
  });
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
    author?: string | { name?: string };
  };

function nameOf(folder: string): string {
  const { name, version } = manifestOf(folder);
  return `${name} ${version}`;
}

/** Its own words; where it brings none, what its manifest says. */
function library(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^(?:licen[cs]e|notice|copying)/i.test(name));
  if (files.length > 0) return files.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n");
  const { license = "not said", author } = manifestOf(folder);
  return `${license}${author ? `, by ${typeof author === "string" ? author : author.name}` : ""}`;
}

/** Data that stand in the project stand with their licences. */
function data(): [string, string][] {
  const names = [...new Bun.Glob("packages/**/data/{LICENSES,APACHE-2.0}.txt").scanSync({ cwd: root })]
    .filter((name) => !name.includes("node_modules"))
    .sort();
  const grammars = join(root, "packages/host/src/syntax/data/source.json");
  const rows = JSON.parse(readFileSync(grammars, "utf8")) as { package: string; version: string; licence: string }[];
  const lines = rows.map((row) => `${row.package} ${row.version}: ${row.licence}`).join("\n");
  return [
    ...names.map((name): [string, string] => [relative("packages", name), readFileSync(join(root, name), "utf8")]),
    ["grammars", lines],
  ];
}
