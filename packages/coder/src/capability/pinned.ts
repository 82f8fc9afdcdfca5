import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileStat, hasher, isDirectory, isInside, realPath, tryOr } from "@pith/kit";

/**
 * The files of a project that a command line names, with what they hold: a yes to the line covers them. Rather too many
 * than too few: every word counts that is a path, from the folder, from where
 * it runs, from the root, and from each folder that is named.
 */
export function namedFiles(line: string, folder: string, { root, cwd }: { root: string; cwd: string }): string {
  const words = wordsIn(expanded(line, folder));
  const inside = (paths: readonly string[]) => paths.filter((path) => isInside(root, path) && path !== root);
  const at = (bases: readonly string[]) => inside(bases.flatMap((base) => words.map((word) => resolve(base, word))));
  const near = at([folder, cwd, root]);
  const folders = near.filter(isDirectory).slice(0, mostFolders);
  const starts = folders.flatMap((path) => started.map((name) => join(path, name)));
  const files = [...new Set([...near, ...at(folders), ...starts])].filter(isFile).sort();
  if (files.length > mostFiles) return `\n\nmore than ${mostFiles} files: ${crypto.randomUUID()}`;
  return files.map((path) => `\n\n${path.slice(root.length + 1)}:\n${contentOf(path)}`).join("");
}

/** Every run of characters that could be a word: with its quotes taken away, between two of them, and between spaces. */
function wordsIn(line: string): string[] {
  const quoted = [...line.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other ?? "");
  const joined = line.replace(/["'\\]/g, "").split(/[\s`;|&()<>=,]+/);
  // A word with spaces in its quotes, and more behind them.
  const mixed = [...line.matchAll(/(?:\\.|[^\\\s"'`;|&()<>]|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/["'\\]/g, ""),
  );
  const split = line.split(/[\s'"`;|&()<>=,:]+/);
  return [...new Set([...quoted, ...joined, ...mixed, ...split])].filter((word) => word !== "");
}

/** Names for the project that command lines have, in the place of its path. */
const expanded = (line: string, folder: string): string =>
  line.replace(/\$\{?(?:CLAUDE_PROJECT_DIR|PITH_PROJECT_DIR|PWD)(?::-[^}]*)?\}?|\$\(pwd\)|`pwd`/g, () => folder);

/** Files that a runtime starts when it is given their folder. */
const started = ["index.js", "index.ts", "index.mjs", "index.cjs", "__main__.py", "package.json"];

const isFile = (path: string): boolean => fileStat(path)?.isFile() === true;

function contentOf(path: string): string {
  if ((fileStat(path)?.size ?? 0) > maxBytes) return `larger than ${maxBytes} bytes: ${crypto.randomUUID()}`;
  const bytes = tryOr(() => readFileSync(realPath(path)));
  if (!bytes) return `not readable: ${crypto.randomUUID()}`;
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) && !text.includes("\0")
    ? text
    : `sha256 ${hasher("sha256").update(bytes).digest("hex")}`;
}

const mostFiles = 200;
const mostFolders = 20;
const maxBytes = 16 * 1024 * 1024;
