import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside, linkStat } from "@pith/kit";
import { autorunInGit, autorunInProject, writtenByGit } from "./autorun.ts";

export interface ReadOnlyPaths {
  /** Real paths of what is there. */
  present: string[];
  /** Paths where nothing stands yet, or a link, on which nothing can be mounted. */
  watched: string[];
}

export interface ReadOnlyOptions {
  home: string;
  /** Git directories that can be written. */
  directories: readonly string[];
  /** Repositories inside the folders. */
  repositories: readonly string[];
  /** Other files and folders that git's configurations name. */
  referenced: readonly string[];
  /** Paths of the home where keys would stand and do not. */
  keys: readonly string[];
  /** Protected paths further down, the most important first. */
  below: readonly string[];
}

/** Finds the files that run on the machine of whoever works in these folders, or say what runs. */
export function findReadOnly(
  folders: readonly string[],
  { home, directories, repositories: trees, referenced: named, keys, below }: ReadOnlyOptions,
): ReadOnlyPaths {
  const sealed: ReadOnlyPaths = { present: [], watched: [] };
  const homes = folders.filter((folder) => isInside(folder, home));
  const own = homes.length === 0 ? [] : [...autorunInHome.map((name) => join(home, name)), ...keys];
  const inside = folders.flatMap((folder) => inFolder.map((name) => join(folder, name)));
  // A folder of that name holds what is sealed; a file or a link of it names another.
  const pointers = [...folders, ...trees].map((folder) => join(folder, ".git"));
  const kept = pointers.filter((path) => !isFolder(path));
  const git = [...new Set([...directories, ...pointers.filter((path) => !isPlain(path))])];
  const inner = git.map((dir) => autorunInGit.map((name) => join(dir, name)));
  const reals = new Map<string, string>();
  const [near, far] = [inner.slice(0, mostMounted), inner.slice(mostMounted)].map((all) => all.flat());
  // Not a folder that holds one of these itself: the project would be sealed as a whole.
  const single = named.filter((path) => ![...folders, ...directories].some((one) => isInside(path, one)));
  const byGit = (path: string) => writtenByGit.has(path.split("/").slice(-2).join("/"));
  const held = [...inside, ...single, ...kept.slice(0, mostMounted), ...(near ?? []).filter((path) => !byGit(path))];
  for (const path of [...held, ...below.slice(0, mostBelow), ...own]) place(path, sealed, reals);
  sealed.watched.push(...kept.slice(mostMounted), ...(far ?? []), ...(near ?? []).filter(byGit));
  return { present: [...new Set(sealed.present)], watched: [...new Set(sealed.watched)] };
}

/**
 * Repositories that have mounts of their own: with many, building the sandbox takes longer than the command. Changes in
 * the others are seen and taken back.
 */
const mostMounted = 24;

/** Protected paths further down that have a mount of their own; each takes a third of a millisecond. */
const mostBelow = 8;

/** A link can be replaced whatever it leads to; so it is watched, and what it leads to is sealed. */
function place(path: string, sealed: ReadOnlyPaths, reals: Map<string, string>): void {
  const above = dirname(path);
  const folder = reals.get(above) ?? realOf(above);
  reals.set(above, folder);
  // Where there is no such folder, there is nothing in it.
  if (folder === "") return void sealed.watched.push(path);
  try {
    const here = join(folder, path.slice(above.length + 1));
    const stat = linkStat(here);
    if (!stat || stat.isSymbolicLink()) sealed.watched.push(here);
    if (stat) sealed.present.push(realpathSync(here));
    if (folder !== above) sealed.watched.push(path);
  } catch {
    sealed.watched.push(path);
  }
}

function realOf(folder: string): string {
  try {
    return linkStat(folder) ? realpathSync(folder) : "";
  } catch {
    return "";
  }
}

/** Patterns among them are found by whoever looks through the project. */
const inFolder = autorunInProject.flatMap(({ names }) => names.filter((name) => !name.includes("*")));

/** Names in a home of what a shell, a desktop or a tool of the user runs by itself. */
export const autorunInHome = `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv
  .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc .xprofile .xinitrc
  .xsessionrc .gitconfig .vimrc .vim .emacs .emacs.d .pam_environment .hushlogin .screenrc
  .tmux.conf .config/fish .config/git .config/autostart .config/systemd .config/environment.d
  .config/nvim .config/direnv .config/tmux .local/bin .local/share/applications .local/lib bin
  .cargo/bin .cargo/config.toml .cargo/env .nvm .pyenv .rbenv .asdf .bun/bin .deno/bin go/bin
  .npm-global Library/LaunchAgents`.split(/\s+/);

const isPlain = (path: string): boolean => linkStat(path)?.isFile() === true;
const isFolder = (path: string): boolean => linkStat(path)?.isDirectory() === true;
