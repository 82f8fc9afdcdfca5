import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isInside, linkStat } from "@pith/kit";
import type { Env } from "../../env.ts";
import type { ClosedPath } from "./closed.ts";
import { type GitCovers, gitCovers, type Replaced } from "./git-cover.ts";
import { findHidden, type HiddenPaths } from "./hidden.ts";
import { mountsBelow } from "./mounts.ts";
import { findReadOnly } from "./read-only.ts";
import { ownHooksPath, type Repositories, repositoriesOf } from "./repository.ts";

/** Options that a plan is made from. */
export interface PlanOptions {
  /** The extent of what may be written: the project, or nothing but the session's `/tmp`. */
  mode: "workspace" | "read-only";
  /** The folders of which a command has layers, where it has them; nothing else is written then. */
  layered?: readonly string[] | undefined;
  /** The folders of the project, and others that may be written. */
  folders: readonly string[];
  /** The user's home. */
  home: string;
  /** Folders and files that must not be seen, beside those that hold keys on any machine. */
  closed: readonly string[];
  /** Paths that may be read though they lie in one of those. */
  readable: readonly string[];
  /** The folder that `/tmp` is inside. */
  tmp: string;
  /** Files of the machine's `/tmp` that may be read there. */
  given?: readonly string[] | undefined;
  /** Repositories inside the folders, as far as they are known. */
  repositories: readonly string[];
  /** Protected paths further down in the folders, as far as they are known, the most important first. */
  autorun?: readonly string[] | undefined;
  /** Paths that rules close, though they lie in the project. */
  closedByRule: readonly ClosedPath[];
  /** The network that commands share, as far as there is one. */
  network?: string | undefined;
  env: Env;
  /** True for a repository whose configuration and hooks the user trusts. */
  isTrusted?(root: string): boolean;
}

/** A namespace as data: every path is real, and there. */
export interface SandboxPlan {
  writable: readonly string[];
  /** Folders over which there are layers, so that what is written in them is thrown away. */
  layered: readonly string[];
  /** Only to be read, though it lies in what is writable. */
  readOnly: readonly string[];
  /** Folders that lead to those: they can be written in, and neither moved nor removed. */
  pinned: readonly string[];
  /** Files in whose place others stand, only to be read. */
  replaced: readonly Replaced[];
  /** Not to be seen. */
  hidden: readonly ClosedPath[];
  /** Empty folders that a command may write, and that go with it. */
  scratch: readonly string[];
  /** To be read, though something around it is hidden. */
  readable: readonly string[];
  tmp: string;
  /** Files of the machine's `/tmp`, only to be read in the one that is inside. */
  given: readonly string[];
  /** Files of `/proc` that are the machine's, and no process's. Root could write them without any capability. */
  machineFiles: readonly string[];
  /** Paths that no mount can hold, because they are not there or are links: they are looked at instead. */
  watched: readonly string[];
  /** Remarks for people on what cannot be had. */
  warnings: readonly string[];
}

/** Facts that change seldom and take the longest to find out: where keys, sockets and repositories are. */
export interface PlanFacts {
  hidden: HiddenPaths;
  repositories: Repositories;
  /** Git directories that belong to the folders, and lie elsewhere. */
  elsewhere: readonly string[];
  /** Folders in which git-lfs keeps what it works on, by which alone it says if a file has changed. */
  lfs: readonly string[];
  covers: GitCovers;
}

export function planFacts(ground: PlanOptions): PlanFacts {
  const { isTrusted = () => false, tmp } = ground;
  const folders = writableFolders({ ...ground, mode: "workspace" });
  // What is only read is read by git too.
  const all = repositoriesOf(folders, ground.repositories);
  const own = ownHooks(ground.home, folders, ground.repositories);
  return {
    hidden: findHidden(ground),
    repositories:
      ground.mode === "workspace"
        ? { ...all, referenced: [...all.referenced, ...own] }
        : repositoriesOf([], ground.repositories),
    elsewhere: all.writable,
    lfs: all.directories.slice(0, mostPinned).flatMap((dir) => realFolder(join(dir, "lfs"))),
    covers: gitCovers([...all.directories, ...all.claimed], { folder: join(dirname(tmp), "git"), isTrusted }),
  };
}

/** The folders in which the user's own configuration has git look for the hooks of these repositories. */
function ownHooks(home: string, folders: readonly string[], trees: readonly string[]): string[] {
  const named = ownHooksPath(home);
  if (named === undefined) return [];
  if (isAbsolute(named)) return [named];
  const below = trees.map((tree) => join(tree, named)).filter((path) => linkStat(path) !== undefined);
  return [...folders.map((folder) => join(folder, named)), ...below];
}

export function makePlan(
  ground: PlanOptions,
  { hidden, repositories, elsewhere, lfs, covers }: PlanFacts = planFacts(ground),
): SandboxPlan {
  const { home, closed, tmp } = ground;
  const asked = [...new Set(ground.folders.flatMap(realFolder))];
  const own = closed.flatMap(realFolder);
  const folders = writableFolders(ground);
  const writable = outermost([...folders, ...repositories.writable]);
  const within = (path: string) => writable.some((folder) => isInside(folder, path));
  // A project that is not written is read all the same, wherever it lies.
  const layered = (ground.layered ?? []).filter(
    (path) => asked.includes(path) || !hidden.present.some((one) => isInside(one.path, path)),
  );
  const read = [...asked, ...elsewhere.filter((dir) => !within(dir))].filter(
    (folder) => folder !== "/" && !folders.includes(folder) && !layered.includes(folder),
  );
  const shown = [
    ...ground.readable.flatMap(realFolder),
    ...read.filter((folder) => !own.some((place) => isInside(place, folder))),
    ...covers.shown,
    // A layer shows nothing of what is mounted below its folder.
    ...layered.flatMap(mountsBelow),
  ];
  // Inside, these are other folders: what stands there outside is seen only where it lies in what was brought along.
  const inView = (path: string) =>
    within(path) ||
    [...shown, ...layered].some((place) => isInside(place, path)) ||
    !replacedFolders.some((folder) => isInside(folder, path));
  const seals = findReadOnly(writable, {
    home,
    directories: repositories.directories,
    repositories: ground.repositories,
    referenced: repositories.referenced,
    keys: hidden.absent,
    below: ground.autorun ?? [],
  });
  // Nothing of what is hidden is mounted again, there or below.
  const shut = ground.closedByRule.filter(({ path }) => inView(path) && !writable.includes(path));
  const isShut = (path: string) => shut.some((one) => isInside(one.path, path));
  const covered = [
    ...hidden.present.filter(({ path }) => inView(path) && ![...writable, ...layered].includes(path) && !isShut(path)),
    ...shut,
    ...covers.hidden.filter(({ path }) => !isShut(path)),
  ];
  const isCovered = (path: string) => covered.some((one) => isInside(one.path, path));
  const replaced = covers.replaced.filter(({ path }) => !isCovered(path));
  const sealed = seals.present.filter(
    (path) => within(path) && !isCovered(path) && !replaced.some((one) => one.path === path),
  );
  // Those further down are watched: with many, building the sandbox would take longer than the command.
  const near = replaced.slice(0, mostPinned).map(({ path }) => path);
  const kept = [...sealed, ...near.filter(within), ...covered.map(({ path }) => path)];
  const pinned = [...new Set(kept.flatMap((path) => above(path, writable)))];
  return {
    writable,
    layered,
    readOnly: sealed,
    replaced,
    // Not in what is sealed or hidden: it could be written there.
    pinned: pinned.filter((path) => !isCovered(path) && !sealed.some((one) => isInside(one, path))),
    hidden: covered,
    scratch: lfs.filter(
      (path) => !within(path) && !layered.some((folder) => isInside(folder, path)) && !isCovered(path),
    ),
    readable: shown,
    tmp,
    given: (ground.given ?? []).filter(
      (path) => !within(path) && ![...ground.closedByRule, ...hidden.present].some((one) => isInside(one.path, path)),
    ),
    machineFiles: machineFiles(),
    watched: seals.watched.filter(within),
    warnings: planWarnings(ground, asked, folders),
  };
}

const mostPinned = 24;

/** The remarks on a plan that people should know. */
function planWarnings({ mode }: PlanOptions, asked: readonly string[], folders: readonly string[]): string[] {
  const root = "The project is the root of the file system: commands can read it and write nothing of it but /tmp.";
  const others = folders.filter(isAnothers);
  return [
    ...(mode === "workspace" && asked.includes("/") ? [root] : []),
    ...others.map(
      (folder) =>
        `${folder} belongs to another user: in the sandbox root has no special rights there and writes what anybody may.`,
    ),
  ];
}

/** Identifies a plan: a place built by another one could lack a mount that this one has. */
export function fingerprintOf(plan: SandboxPlan): string {
  const identity = (path: string) => {
    const stat = linkStat(path);
    // Numbers of files come back: a file of the same number may have lost its mount.
    return stat ? `${path}:${stat.dev}:${stat.ino}:${stat.birthtimeMs}` : path;
  };
  return JSON.stringify([
    plan.writable,
    plan.layered.map((path) => `${identity(path)}:${linkStat(path)?.mtimeMs}`),
    plan.readOnly.map(identity),
    plan.pinned.map(identity),
    // A file that somebody replaced stands there without its cover.
    plan.hidden.map(({ path, kind }) => [kind, identity(path)]),
    plan.replaced.map(({ path, by }) => [identity(path), by]),
    plan.scratch,
    plan.readable,
    plan.tmp,
    plan.given.map(identity),
  ]);
}

/** The folders between a writable one and what lies in it, from above. */
function above(path: string, writable: readonly string[]): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); writable.some((root) => root !== at && isInside(root, at)); at = dirname(at))
    folders.unshift(at);
  return folders;
}

/** Folders and files of the machine that somebody could write, were it only by being root. */
function machineFiles(): string[] {
  if (process.platform !== "linux") return [];
  known ??= readdirSync("/proc", { withFileTypes: true }).flatMap((entry) => {
    const path = `/proc/${entry.name}`;
    if (/^\d+$/.test(entry.name) || entry.isSymbolicLink()) return [];
    return entry.isDirectory() || ((linkStat(path)?.mode ?? 0) & 0o222) !== 0 ? [path] : [];
  });
  return known;
}
let known: string[] | undefined;

/** In the sandbox, these are other folders. */
export const replacedFolders = ["/run", "/tmp", "/var/tmp", "/dev", "/proc"];

/** Lists the folders that may be written: never the root, and none that is closed. */
export function writableFolders({ mode, folders, closed }: Pick<PlanOptions, "mode" | "folders" | "closed">): string[] {
  if (mode === "read-only") return [];
  const own = closed.flatMap(realFolder);
  return [...new Set(folders.flatMap(realFolder))].filter(
    (folder) => folder !== "/" && !own.some((place) => isInside(place, folder)),
  );
}

/**
 * Lists the folders over which commands want layers, the project first: all that commands could write otherwise, and
 * caches of tools. What belongs to another user stays as it is.
 */
export function layerFolders(ground: Omit<PlanOptions, "mode">): string[] {
  const folders = writableFolders({ folders: ground.folders, closed: ground.closed, mode: "workspace" });
  const caches = cachesInHome.flatMap((name) => realFolder(join(ground.home, name)));
  const all = [...folders, ...repositoriesOf(folders, ground.repositories).writable, ...caches];
  return outermost([...new Set(all)]).filter((folder) => lstatSync(folder).uid === process.geteuid?.());
}

const cachesInHome = `.cache .npm .yarn .pnpm-store .local/share/pnpm .bun/install .deno .cargo/registry .cargo/git
  go/pkg .gradle .m2/repository .ivy2 .sbt .nuget .gem .bundle .composer/cache .ccache .terraform.d/plugin-cache
  .local/share/virtualenvs .conda/pkgs`.split(/\s+/);

/** True for a folder of another user, which root without special rights cannot write. */
export function isAnothers(folder: string): boolean {
  const stat = linkStat(folder);
  return process.getuid?.() === 0 && stat !== undefined && stat.uid !== 0 && (stat.mode & 0o002) === 0;
}

const outermost = (folders: readonly string[]): string[] =>
  folders.filter((one) => !folders.some((other) => other !== one && isInside(other, one)));

function realFolder(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
