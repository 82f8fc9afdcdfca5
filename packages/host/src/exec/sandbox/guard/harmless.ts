import { basename, dirname } from "node:path";

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
      return said !== undefined && basename(dirname(path)) !== ".cargo" && runsNothing(said, inModule(path));
    }
    case "git-rebase-todo":
    case "todo": {
      const said = text(path);
      return said !== undefined && execLines(said).length === 0;
    }
    default:
      return false;
  }
}

/** The lines of a rebase's list by which git runs a program. */
const execLines = (todo: string): string[] => todo.match(/^[ \t]*(?:x|exec)(?![\w-]).*$/gm) ?? [];

/**
 * True when a file runs nothing that it did not run before: git changes its own lists and configurations as it works.
 */
export function runsNoMore(path: string, before: string, now: string): boolean {
  switch (basename(path)) {
    case "config":
    case "config.worktree": {
      if (basename(dirname(path)) === ".cargo") return false;
      const lines = (text: string) =>
        configLines(text, inModule(path)).flatMap(({ section, line, harmless }) => (harmless ? [] : [section + line]));
      return lines(now).length === 0 || lines(now).join("\n") === lines(before).join("\n");
    }
    case "git-rebase-todo":
    case "todo": {
      const ran = new Set(execLines(before));
      return execLines(now).every((line) => ran.has(line));
    }
    default:
      return false;
  }
}

const runsNothing = (config: string, known: Known): boolean =>
  configLines(config, known).every(({ harmless }) => harmless);

/** The first line of a configuration by which git could run something; hooks need not count. */
export const harmfulLine = (config: string, hooks: "count" | "do not count"): string | undefined => {
  const core = (key: string) => known.core?.(key, "") === true || (hooks === "do not count" && key === "hookspath");
  return configLines(config, { ...known, core }).find(({ harmless }) => !harmless)?.line;
};

/** A configuration written out again from the lines by which git runs nothing. */
export function safeConfig(config: string, path: string): string {
  const kept = configLines(config, inModule(path)).filter(
    ({ harmless, line }) => harmless && !/["\\#;](?!\]$)/.test(line.replace(/^\[.*"/, "[")),
  );
  return kept.map(({ line }) => `${line}\n`).join("");
}

interface ConfigLine {
  /** The section that it stands in, as it is written. */
  section: string;
  line: string;
  harmless: boolean;
}

/** The lines that mean something. Only known keys are let through. */
function configLines(config: string, known: Known): ConfigLine[] {
  let section = "";
  let written = "";
  return config.split("\n").flatMap((raw) => {
    const line = raw.trim();
    if (line === "" || /^[#;]/.test(line)) return [];
    const head = /^\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]$/.exec(line);
    if (head) {
      section = (head[1] ?? "").toLowerCase();
      written = line;
      return [{ section: written, line, harmless: true }];
    }
    const [, key = "", value = ""] = /^([A-Za-z][\w-]*)(?:\s*=\s*(.*))?$/.exec(line) ?? [];
    // A backslash at the end would go on in the next line.
    return [
      {
        section: written,
        line,
        harmless: key !== "" && !value.endsWith("\\") && known[section]?.(key.toLowerCase(), value) === true,
      },
    ];
  });
}

/** Takes keys by their names. */
const keys = (names: string) => {
  const all = new Set(names.trim().split(/\s+/));
  return (key: string): boolean => all.has(key);
};
/** `ext::` runs a command, and so would a name of a helper that the user has. */
const isAddress = (value: string): boolean =>
  /^"?(?:(?:https?|ssh|git):\/\/|[\w.-]+@[\w.-]+:|[./])(?!-)[^\s"]*"?$/.test(value);

type Known = Readonly<Record<string, (key: string, value: string) => boolean>>;
const core = keys(
  `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf
  longpaths sparsecheckout sparsecheckoutcone quotepath abbrev compression trustctime checkstat protectntfs protecthfs
  untrackedcache preloadindex splitindex fscache whitespace commentchar bigfilethreshold commitgraph multipackindex`,
);
/** Values that git-lfs writes for itself: they name the program that the user has. */
const lfs: Readonly<Record<string, RegExp>> = {
  clean: /^git-lfs clean -- %f$/,
  smudge: /^git-lfs smudge (?:--skip )?-- %f$/,
  process: /^git-lfs filter-process(?: --skip)?$/,
  required: /^true$/,
};
const remote = keys("fetch push tagopt prune gh-resolved promisor partialclonefilter pushdefault");
const submodule = keys("active ignore branch");
const known: Known = {
  core,
  extensions: keys("objectformat refstorage partialclone worktreeconfig"),
  init: keys("defaultbranch"),
  index: keys("sparse version threads"),
  user: keys("name email signingkey"),
  branch: keys(
    `remote merge rebase description pushremote autosetupmerge autosetuprebase sort vscode-merge-base
    github-pr-owner-number`,
  ),
  pull: keys("rebase ff"),
  push: keys("default autosetupremote followtags"),
  color: () => true,
  column: keys("ui"),
  status: keys("showuntrackedfiles short branch relativepaths aheadbehind"),
  log: keys("date decorate abbrevcommit follow"),
  diff: keys("algorithm renames renamelimit colormoved mnemonicprefix noprefix context indentheuristic"),
  tag: keys("sort"),
  commit: keys("gpgsign"),
  gc: keys("auto"),
  maintenance: keys("auto strategy"),
  fetch: keys("prune"),
  merge: keys("conflictstyle ff"),
  rebase: keys("autostash autosquash"),
  rerere: keys("enabled autoupdate"),
  advice: () => true,
  lfs: keys("repositoryformatversion"),
  filter: (key, value) => lfs[key]?.test(value) === true,
  remote: (key, value) => remote(key) || ((key === "url" || key === "pushurl") && isAddress(value)),
  submodule: (key, value) =>
    submodule(key) ||
    (key === "update" && /^(?:checkout|rebase|merge|none)$/.test(value)) ||
    (key === "url" && isAddress(value)),
};

/** A submodule's directory says where its files are: as far up as its repository, and no further. */
function inModule(config: string): Known {
  const below = /\/\.git\/(modules\/.+)\/config$/.exec(config)?.[1];
  if (below === undefined) return known;
  const up = "../".repeat(below.split("/").length + 1);
  const stays = (value: string) => value.startsWith(up) && !/(?:^|\/)\.\.?(?:\/|$)/.test(value.slice(up.length));
  return { ...known, core: (key, value) => core(key) || (key === "worktree" && stays(value)) };
}
