import { basename } from "node:path";

/** A look at what stands somewhere: the names in a folder, the text of a file; undefined for anything else. */
export interface FolderReader {
  /** Not of a link. */
  names(path: string): string[] | undefined;
  text(path: string): string | undefined;
}

/**
 * True when a new entry in a git directory runs nothing: `git init` and `git clone` make a folder of samples and a
 * configuration that says where the repository comes from, and that must work.
 */
export function isHarmless(path: string, { names, text }: FolderReader): boolean {
  switch (basename(path)) {
    // What is in it is looked at by itself.
    case ".git":
      return names(path) !== undefined;
    case "hooks":
      return names(path)?.every((name) => name.endsWith(".sample")) === true;
    case "config":
    case "config.worktree": {
      const said = text(path);
      return said !== undefined && runsNothing(said, inModule(path));
    }
    default:
      return false;
  }
}

/** True when a configuration runs nothing and leads nowhere else. Only known keys are let through. */
function runsNothing(config: string, known: Known): boolean {
  let section = "";
  for (const raw of config.split("\n")) {
    const line = raw.trim();
    if (line === "" || /^[#;]/.test(line)) continue;
    const head = /^\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]$/.exec(line);
    if (head) {
      section = (head[1] ?? "").toLowerCase();
      continue;
    }
    const [, key = "", value = ""] = /^([A-Za-z][\w-]*)(?:\s*=\s*(.*))?$/.exec(line) ?? [];
    // A backslash at the end would go on in the next line.
    if (key === "" || value.endsWith("\\") || !known[section]?.(key.toLowerCase(), value)) return false;
  }
  return true;
}

const among =
  (...keys: string[]) =>
  (key: string): boolean =>
    keys.includes(key);
/** `ext::` runs a command, and so would a name of a helper that the user has. */
const isAddress = (value: string): boolean =>
  /^"?(?:(?:https?|ssh|git):\/\/|[\w.-]+@[\w.-]+:|[./])(?!-)[^\s"]*"?$/.test(value);

type Known = Readonly<Record<string, (key: string, value: string) => boolean>>;
const core = among(
  ..."repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks".split(" "),
);
const known: Known = {
  core,
  extensions: among("objectformat", "refstorage"),
  init: among("defaultbranch"),
  user: among("name", "email"),
  branch: among("remote", "merge", "rebase"),
  remote: (key, value) => key === "fetch" || (key === "url" && isAddress(value)),
  submodule: (key, value) => key === "active" || (key === "url" && isAddress(value)),
};

/** A submodule's directory says where its files are: as far up as its repository, and no further. */
function inModule(config: string): Known {
  const below = /\/\.git\/(modules\/.+)\/config$/.exec(config)?.[1];
  if (below === undefined) return known;
  const up = "../".repeat(below.split("/").length + 1);
  const stays = (value: string) => value.startsWith(up) && !/(?:^|\/)\.\.?(?:\/|$)/.test(value.slice(up.length));
  return { ...known, core: (key, value) => core(key) || (key === "worktree" && stays(value)) };
}
