import {
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { tryOr } from "./value.ts";

/** The directory of pith's own files: `PITH_HOME`, else `~/.pith`. */
export const pithHome = (env: Readonly<Record<string, string | undefined>>, home: string): string =>
  env.PITH_HOME ? resolve(expandHome(env.PITH_HOME, home)) : join(home, ".pith");

export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}

/**
 * True for `root` itself and everything below it. Both must be absolute; resolve links first where it matters. What no
 * file can be called lies nowhere.
 */
export function isInside(root: string, path: string): boolean {
  if (path.includes("\0")) return false;
  // Nearly always the names alone tell it.
  if (path.startsWith(root) && path[root.length] === "/" && !path.includes("/..", root.length)) return true;
  const way = relative(root, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../") && !way.startsWith("..\\"));
}

/**
 * The real path, with links resolved as far as the path exists; the rest is appended as it stands. A dangling link
 * counts as its target. A path that cannot be followed to its end (a loop, or more links than the system follows) is
 * answered by one that lies in no folder and that no file can have, so whoever judges or opens it fails. On volumes
 * that fold names, it has the spelling of the disk.
 */
export function realPath(path: string): string {
  return diskSpelling(tryOr(() => realpathSync.native(path)) ?? followed(resolve(path)));
}

/** As many as Linux follows. */
const maxLinks = 40;

/** Name by name, as the system does it: `..` in a link leads up from where the link led, not from where it is written. */
function followed(path: string): string {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep).reverse();
  let at = root;
  let links = 0;
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const target = linkTarget(join(at, name));
    if (target === undefined) {
      at = join(at, name);
      continue;
    }
    if (++links > maxLinks) return `${root}\0 too many links: ${path}`;
    names.push(...target.split(sep).reverse());
    if (isAbsolute(target)) at = parse(target).root;
  }
  return at;
}

const linkTarget = (path: string): string | undefined =>
  tryOr(() => (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined));

/** The state of a file, links followed; undefined if it is not there or cannot be reached. */
export const fileStat = (path: string): Stats | undefined => tryOr(() => statSync(path, { throwIfNoEntry: false }));

/** The state of a path itself, links not followed; undefined if it is not there or cannot be reached. */
export const linkStat = (path: string): Stats | undefined => tryOr(() => lstatSync(path, { throwIfNoEntry: false }));

export const isDirectory = (path: string): boolean => fileStat(path)?.isDirectory() ?? false;

/** The entries of a directory; none if it cannot be read. */
export const entriesIn = (directory: string): Dirent[] =>
  tryOr(() => readdirSync(directory, { withFileTypes: true }), []);

/** A relative path as records and git write it, also on Windows. */
export const slashed = (path: string): string => (sep === "/" ? path : path.split(sep).join("/"));

/** The path as it is shown: relative to `root` if inside it, else absolute. */
export function showPath(root: string, path: string): string {
  if (!isInside(root, path)) return path;
  return relative(root, path) || ".";
}

// Volumes that take several spellings for one name: case, and ways to compose a letter. Nothing is assumed of them: a
// name that leads somewhere and is in no listing is another spelling of one that is. Numbers of files tell nothing:
// some of these volumes give each spelling another.

/** A single form of all spellings that any volume could take for the same. */
export const folded = (name: string): string => name.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD");

/**
 * The spelling on the disk of a path without links. The system itself tells that on macOS and Windows; on Linux it
 * gives back what was asked for, so that names on volumes that may fold are looked up.
 */
function diskSpelling(real: string): string {
  const mount = foldMountOf(real);
  if (mount === undefined) return real;
  let at = mount;
  for (const name of real.slice(mount.length + 1).split("/")) at = `${at}/${nameOnDisk(at, name)}`;
  return at;
}

/** True where a path may have several spellings, without a look at the disk. */
export const mayFoldAt = (path: string): boolean => process.platform !== "linux" || foldMountOf(path) !== undefined;

/** A path whose last names have the spelling that its real path has; up to a link, which leads to another name. */
export function spelledLike(path: string, real: string): string {
  const [names, others] = [path.split("/"), real.split("/")];
  for (let back = 1; back <= names.length; back++) {
    const [name = "", other = ""] = [names.at(-back), others.at(-back)];
    if (name !== other && folded(name) !== folded(other)) break;
    names[names.length - back] = other;
  }
  return names.join("/");
}

/** True if another spelling of this name leads to the same file, or would: the folder folds, or cannot tell. */
export function foldsAt(path: string): boolean {
  const folder = dirname(path);
  if (folder === path) return false;
  const names = tryOr(() => readdirSync(folder));
  const name = names?.find((one) => otherSpellings(one).length > 0);
  // Where the folder is not there yet, or holds nothing that tells, it is as the one above.
  if (!names || name === undefined) return foldsAt(folder);
  return otherSpellings(name).some((other) => !names.includes(other) && isThere(join(folder, other)));
}

function nameOnDisk(folder: string, name: string): string {
  // Most volumes that could fold do not, which one look tells.
  if (!otherSpellings(name).some((other) => isThere(`${folder}/${other}`))) return name;
  const names = tryOr(() => readdirSync(folder), []);
  if (names.includes(name) || !isThere(`${folder}/${name}`)) return name;
  const form = folded(name);
  return names.find((one) => folded(one) === form) ?? name;
}

/** Spellings that a volume that folds takes for this one, and that others do not. */
function otherSpellings(name: string): string[] {
  const turned = [...name]
    .map((sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()))
    .join("");
  return [...new Set([turned, name.normalize("NFC"), name.normalize("NFD")])].filter((other) => other !== name);
}

const isThere = (path: string): boolean => tryOr(() => lstatSync(path, { throwIfNoEntry: false })) !== undefined;

/** Types of file systems whose names may fold, with what stands before one in the kernel's list. */
const mayFold = / - (?:fuse|v?fat|msdos|exfat|ntfs|hfs|apfs|cifs|smb|9p|drvfs|virtiofs|vboxsf|prl_fs|fakeowner)/;

let known: { at: number; mounts: string[] } | undefined;
const trustedMs = 5000;

const foldMountOf = (path: string): string | undefined =>
  process.platform === "linux" ? foldMounts().find((mount) => path.startsWith(`${mount}/`)) : undefined;

/** Places at which such a file system is mounted, the deepest first. */
function foldMounts(): string[] {
  const now = performance.now();
  if (!known || now - known.at > trustedMs)
    known = { at: now, mounts: mountsIn(tryOr(() => readFileSync("/proc/self/mountinfo", "utf8"), "")) };
  return known.mounts;
}

/** Reads the kernel's list of mounts. @internal */
export function mountsIn(text: string): string[] {
  if (!mayFold.test(text)) return [];
  const lines = text.split("\n").filter((line) => mayFold.test(line));
  const found = lines.map((line) => unescapeMount(line.split(" ")[4] ?? "/"));
  return found.filter((mount) => mount !== "/").sort((a, b) => b.length - a.length);
}

/** A path of the kernel's mount list, which writes blanks and backslashes as octal numbers. */
export const unescapeMount = (path: string): string =>
  path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
