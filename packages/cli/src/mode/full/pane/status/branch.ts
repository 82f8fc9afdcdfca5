import { type FSWatcher, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readPlain } from "@pith/kit";

/** The branch that is checked out, read from git's own files: no program is started. */
export const branchOf = (cwd: string): string | undefined => find(cwd)?.name;

/** Calls back when git may have checked out another branch. */
export function watchBranch(cwd: string, changed: () => void): Disposable {
  let watcher: FSWatcher | undefined;
  try {
    const found = find(cwd);
    // Git replaces the file, so its folder is watched.
    if (found) watcher = watch(found.folder, { persistent: false }, (_, file) => file === "HEAD" && changed());
    watcher?.on("error", () => watcher?.close());
  } catch {
    // Without a watcher, the branch is read again at the end of a turn.
  }
  return { [Symbol.dispose]: () => watcher?.close() };
}

function find(cwd: string): { folder: string; name: string | undefined } | undefined {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const folder = gitFolder(join(dir, ".git"));
    const head = folder === undefined ? undefined : read(join(folder, "HEAD"));
    if (folder !== undefined && head !== undefined) return { folder, name: nameIn(head.trim()) };
    if (dirname(dir) === dir) return undefined;
  }
}

/** Follows the file that names the git directory of a linked work tree or a submodule. */
function gitFolder(git: string): string {
  const to = /^gitdir: (.+)$/m.exec(read(git) ?? "")?.[1];
  return to === undefined ? git : resolve(dirname(git), to.trim());
}

const read = (file: string): string | undefined => {
  const text = readPlain(file, { maxBytes: 4096 });
  return text.ok ? text.value : undefined;
};

/** The branch or commit in HEAD; undefined for names that git does not allow, and where refs are in tables. */
function nameIn(head: string): string | undefined {
  const name = /^ref: refs\/heads\/([^\p{Cc}\p{Cf} ~^:?*[\\]+)$/u.exec(head)?.[1];
  if (name !== undefined) return name.startsWith(".") ? undefined : name;
  return /^[0-9a-f]{7,}$/.test(head) ? head.slice(0, 7) : undefined;
}
