import { lstatSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive } from "@pith/host";
import { hasher, readPlain, realPath } from "@pith/kit";

/** One store per project: a name for people, and a hash for certainty. */
export function undoDir(home: string, root: string): string {
  const name =
    basename(root)
      .replace(/[^\w.-]/g, "_")
      .slice(0, 40) || "root";
  return join(home, "undo", `${name}-${hasher("sha256").update(root).digest("hex").slice(0, 12)}`);
}

/** Writes down whose store this is, so that it can go when its project has gone. */
export function noteProject(store: string, root: string): void {
  try {
    const project = { root, device: statSync(dirname(root)).dev };
    writeFileSync(join(store, "project.json"), `${JSON.stringify(project)}\n`, { mode: 0o600 });
  } catch {
    // Without it the store stays.
  }
}

/** Removes the store of a directory that will not come back. */
export const forgetProject = (home: string, root: string): void =>
  rmSync(undoDir(home, realPath(root)), { recursive: true, force: true });

/** The stores of a home whose projects were removed, and which nobody uses. */
export function vanishedStores(home: string): string[] {
  const folder = join(home, "undo");
  try {
    const stores = readdirSync(folder, { withFileTypes: true }).filter((item) => item.isDirectory());
    return stores.map(({ name }) => join(folder, name)).filter((store) => hasVanished(home, store) && isIdle(store));
  } catch {
    return [];
  }
}

/** On the disk it was on, and not there: one that is not mounted now has not vanished. */
function hasVanished(home: string, store: string): boolean {
  const text = readPlain(join(store, "project.json"), { maxBytes: 64 << 10, within: store });
  if (!text.ok) return false;
  try {
    const { root, device } = JSON.parse(text.value);
    if (typeof root !== "string" || undoDir(home, root) !== store) return false;
    const parent = statSync(dirname(root), { throwIfNoEntry: false });
    return parent?.dev === device && lstatSync(root, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function isIdle(store: string): boolean {
  try {
    return !readdirSync(join(store, "active")).some((pid) => isAlive(Number(pid)));
  } catch {
    return true;
  }
}
