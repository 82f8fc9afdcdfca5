import { lstatSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive } from "@pith/host";
import { entriesIn, fileStat, hasher, parseJson, readPlain, realPath, recordOf, tryOr } from "@pith/kit";

/** The store of a project: its name for people, and a hash of its path. */
export function undoDir(home: string, root: string): string {
  const name =
    basename(root)
      .replace(/[^\w.-]/g, "_")
      .slice(0, 40) || "root";
  return join(home, "undo", `${name}-${hasher("sha256").update(root).digest("hex").slice(0, 12)}`);
}

/** Names the project in its store, so that the store can be removed after the project; without, it stays. */
export const noteProject = (store: string, root: string): void =>
  tryOr(() => {
    const project = { root, device: statSync(dirname(root)).dev };
    writeFileSync(join(store, "project.json"), `${JSON.stringify(project)}\n`, { mode: 0o600 });
  });

/** Removes the store of a directory that will not come back. */
export const forgetProject = (home: string, root: string): void =>
  rmSync(undoDir(home, realPath(root)), { recursive: true, force: true });

/** The stores of a home whose projects were removed, and which no process uses. */
export function vanishedStores(home: string): string[] {
  const folder = join(home, "undo");
  const stores = entriesIn(folder).filter((item) => item.isDirectory());
  return stores.map(({ name }) => join(folder, name)).filter((store) => hasVanished(home, store) && isIdle(store));
}

/** True when the project is missing from the disk it was on; one on a disk that is not mounted has not vanished. */
function hasVanished(home: string, store: string): boolean {
  const text = readPlain(join(store, "project.json"), { maxBytes: 64 << 10, within: store });
  const { root, device } = recordOf(text.ok && parseJson(text.value));
  if (typeof root !== "string" || undoDir(home, root) !== store) return false;
  // An error says that it cannot be reached, not that it is gone.
  const isGone = () => lstatSync(root, { throwIfNoEntry: false }) === undefined;
  return tryOr(() => statSync(dirname(root)).dev === device && isGone(), false);
}

const isIdle = (store: string): boolean => !entriesIn(join(store, "active")).some(({ name }) => isAlive(Number(name)));

/** Registers the processes that use a store. Only a lone one may clean it: others hold imprints that no log names yet. */
export class Presence {
  readonly #dir: string;
  readonly #pid: string;

  constructor(store: string, pid: number) {
    this.#dir = join(store, "active");
    this.#pid = String(pid);
  }

  enter(): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.#dir, this.#pid), "", { mode: 0o600 });
  }

  leave(): void {
    rmSync(join(this.#dir, this.#pid), { force: true });
  }

  /** True when no other live process uses the store; removes the files of dead ones. */
  alone(): boolean {
    const others = readdirSync(this.#dir).filter((pid) => pid !== this.#pid);
    const live = others.filter((pid) => isAlive(Number(pid)));
    for (const pid of others) if (!live.includes(pid)) rmSync(join(this.#dir, pid), { force: true });
    return live.length === 0;
  }
}

/** True for the first caller of a day. */
export function isDue(store: string, now: number): boolean {
  const mark = join(store, "pruned");
  const last = fileStat(mark)?.mtimeMs;
  if (last !== undefined && now - last < 24 * 3_600_000) return false;
  writeFileSync(mark, "", { mode: 0o600 });
  utimesSync(mark, now / 1000, now / 1000);
  // A new store has nothing to clean.
  return last !== undefined;
}
