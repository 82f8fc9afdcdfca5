// The map is true: paths that docs/architecture.md and the README of a package name in backquotes exist, and each
// folder of a package is named by one of the two. Misses of today are in map.json. `--list` prints them.
import { parseArgs } from "node:util";
import { finish, finishList, holdSections, type Section } from "./ratchet.ts";
import { filesBelow, readFiles, type SourceFile } from "./tree.ts";

const planPage = "docs/architecture.md";
/** Packages whose folders are named two levels deep. */
const deepPackages = ["coder", "cli"];

/** Paths in backquotes that do not exist: from the root, from `packages`, or anywhere below the page's package. */
export function unknownPaths(page: SourceFile, files: readonly string[]): string[] {
  const home = /^packages\/\w+\//.exec(page.path)?.[0] ?? "packages/";
  const paths = [...new Set(files.flatMap((file) => ancestors(withoutSrc(file))))];
  const named = new Set(
    quotedIn(page.text).filter((name) => /^[\w<*][^\s:(){}]*$/.test(name) && /\/|\.ts$/.test(name)),
  );
  return [...named].filter((name) => {
    const path = new RegExp(`^(?:${home}(?:.*/)?|packages/)?${patternOf(name)}$`);
    return !paths.some((it) => path.test(it));
  });
}

/** Folders directly below the `src` of a package, and the second level where it is deep, that no page names. */
export function unnamedFolders(pages: readonly SourceFile[], files: readonly string[]): string[] {
  const names = pages.flatMap(roomsNamed).map((name) => name.split("/"));
  const folders = new Set(files.filter((file) => /^packages\/\w+\/src\//.test(file)).flatMap(roomsOf));
  return [...folders].filter((folder) => {
    const depth = folder.split("/").length;
    const isNamed = (name: string[]) => new RegExp(`^${patternOf(name.slice(0, depth).join("/"))}$`).test(folder);
    return !names.some(isNamed);
  });
}

/** Rooms around a file, with their package: `cli/mode` and `cli/mode/rpc` of `packages/cli/src/mode/rpc/rpc.ts`. */
function roomsOf(file: string): string[] {
  const [, home = "", ...rest] = withoutSrc(file).split("/");
  const rooms = rest.slice(0, deepPackages.includes(home) ? 2 : 1).filter((room) => !room.includes("."));
  if (rooms[0] === "test") return [];
  return rooms.map((_, at) => [home, ...rooms.slice(0, at + 1)].join("/"));
}

/** Rooms that a page may mean; a name also counts below the first name of its paragraph or row. */
function roomsNamed({ path, text }: SourceFile): string[] {
  const home = /^packages\/(\w+)\//.exec(path)?.[1];
  return text.split(/\n(?=\s*[-|#\n])/).flatMap((block) => {
    const quoted = quotedIn(block).filter((name) => !/^[<*]/.test(name));
    const [first = "", ...rest] = quoted.map((name) => name.replace(/^packages\/|\/$/g, ""));
    const names = [first, ...rest, ...rest.map((name) => `${first}/${name}`)].map((name) => name.replace(/^src\//, ""));
    return home ? [...names, ...names.map((name) => `${home}/${name}`)] : names;
  });
}

const quotedIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
const withoutSrc = (path: string) => path.replace(/^(packages\/\w+)\/src\//, "$1/");
const ancestors = (path: string) => path.split("/").map((_, at, parts) => parts.slice(0, at + 1).join("/"));

/** A regular expression for a path, in which `<name>` and `*` stand for one step. */
function patternOf(name: string): string {
  const path = name.replace(/\/$/, "").replace(/^((?:packages\/)?\w+)\/src(?=\/|$)|^src\//, "$1");
  return RegExp.escape(path).replace(/\\x3c.+?\\x3e|\\\*/g, "[^/]+");
}

/** Sections of map.json; each miss counts one. */
export function mapSections(pages: readonly SourceFile[], files: readonly string[]): Record<string, Section> {
  const unknown = pages.flatMap((page) => unknownPaths(page, files).map((name) => `${page.path}: \`${name}\``));
  const section = (keys: string[], unit: string): Section => ({
    counts: new Map(keys.map((key) => [key, 1])),
    ratchet: { unit, limit: 0, softLimit: 1 },
  });
  return {
    unknown: section(unknown, "path that does not exist"),
    unnamed: section(unnamedFolders(pages, files), `name missing in ${planPage} and in its README`),
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { list: { type: "boolean" }, write: { type: "boolean" } } });
  const files = filesBelow("{packages,docs,scripts,test,bench,bin}/**");
  const pages = await readFiles(files.filter((it) => it === planPage || /^packages\/\w+\/README\.md$/.test(it)));
  const sections = mapSections(pages, files);
  if (values.list)
    finishList(
      Object.values(sections).flatMap(({ counts, ratchet }) =>
        [...counts.keys()].map((key) => `${key}  ${ratchet.unit}`),
      ),
    );
  const misses = Object.values(sections).reduce((sum, { counts }) => sum + counts.size, 0);
  finish(await holdSections("map", sections), `${pages.length} pages, ${misses} misses`);
}
