// Collects the licences of libraries and data that are built into pith.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../gate/tree.ts";

/** Text with all licences. `built` is the output of a build, whose comments name the source files. */
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

/** Dependencies of the packages: `built` does not name those that are built separately, such as document readers. */
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

/** Licence files of a library, or the licence its manifest names. */
function library(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^(?:licen[cs]e|notice|copying)/i.test(name));
  if (files.length > 0) return files.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n");
  const { license = "not said", author } = manifestOf(folder);
  return `${license}${author ? `, by ${typeof author === "string" ? author : author.name}` : ""}`;
}

/** Licences of the data in the project. */
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
