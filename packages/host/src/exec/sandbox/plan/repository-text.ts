import { basename, dirname, join } from "node:path";
import { entriesIn, hasher, isInside, linkStat, realPath, tryOr } from "@pith/kit";
import { isGitDirectory, readRegular } from "../../../git/repository.ts";
import { harmfulLine } from "../guard/harmless.ts";
import { hooksPathIn, namedBy, repositoriesOf } from "./repository.ts";

/**
 * The text of all that git runs of a repository, or by which it is told what to run: configurations, what they include,
 * and hooks, those of submodules and linked work trees too. A yes holds for this very text. Undefined where nothing
 * runs.
 */
export function repositoryText(root: string): string | undefined {
  const dir = join(root, ".git");
  if (!linkStat(dir)?.isDirectory() || !isGitDirectory(dir)) return undefined;
  const parts = new Map<string, string>();
  const { directories } = repositoriesOf([root], []);
  const own = directories.filter((one) => isInside(dir, one));
  const configs = own.flatMap((one) => ["config", "config.worktree"].map((name) => join(one, name)));
  for (const file of configs) parts.set(file, textOf(file));
  const hooks = own.flatMap((one) => [...hookFiles(join(one, "hooks")), ...namedFiles(one, root)]);
  const runs = configs.some((file) => harmfulLine(parts.get(file) ?? "", "count") !== undefined);
  if (!runs && hooks.length === 0) return undefined;
  for (const file of hooks.slice(0, mostFiles)) parts.set(file, textOf(file));
  const [[, first] = ["", ""], ...rest] = parts;
  const more = rest.filter(([, text]) => text !== "");
  return [first, ...more.map(([file, text]) => `\n# ${file.slice(root.length + 1)}\n${text}`)].join("");
}

/** The hooks in a folder; samples do not run. */
const hookFiles = (folder: string): string[] =>
  entriesIn(folder)
    .filter(({ name }) => !name.endsWith(".sample"))
    .map(({ name }) => join(folder, name))
    .sort();

/** The hooks and other files that a configuration names. */
function namedFiles(dir: string, root: string): string[] {
  const config = textOf(join(dir, "config"));
  const hooks = hooksPathIn(config, dir);
  return namedBy(dir, config).flatMap((path) => {
    if (path !== hooks) return [path];
    // The files in this folder of husky run those above.
    const above = basename(path) === "_" && isInside(root, dirname(path)) ? hookFiles(dirname(path)) : [];
    return [...hookFiles(path), ...above];
  });
}

function textOf(file: string): string {
  const stat = linkStat(file);
  if (stat?.isSymbolicLink()) return `(a link)\n${readIn(realPath(file))}`;
  // A folder or a giant cannot be shown: it is told by what it is.
  return stat?.isDirectory() ? "(a folder)" : readIn(file);
}

function readIn(file: string): string {
  const bytes = tryOr(() => readRegular(file, { maxBytes: largest, links: "refuse" }));
  if (!bytes) return linkStat(file) ? "(unreadable)" : "";
  if (bytes.length <= mostShown && !bytes.includes(0)) return bytes.toString();
  return `(${bytes.length} bytes, sha256 ${hasher("sha256").update(bytes).digest("hex")})`;
}

const largest = 16 * 1024 * 1024;
const mostShown = 256 * 1024;
const mostFiles = 500;
