import { close, existsSync, fsync, fsyncSync, mkdirSync, open, openSync } from "node:fs";
import { dirname } from "node:path";
import { closing, tryOr } from "@pith/kit";

/** Folders with new files, to be synced with the data: a new name survives a power cut only when its folder does. */
export class UnsyncedFolders {
  readonly #folders: string[] = [];
  #pending: Promise<unknown> = Promise.resolve();

  /** Makes the folder of a file that will be created. */
  makeFor(file: string): void {
    const folder = dirname(file);
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A new folder is on disk once its parent is synced.
    if (made) for (let at = folder; at.length >= made.length; at = dirname(at)) this.#folders.push(dirname(at));
    if (!existsSync(file)) this.#folders.push(folder);
  }

  syncNow(): void {
    for (const folder of this.#folders.splice(0)) syncFolder(folder);
  }

  sync(): Promise<unknown> {
    const folders = this.#folders.splice(0);
    if (folders.length > 0) this.#pending = Promise.all([this.#pending, ...folders.map(syncLater)]);
    return this.#pending;
  }
}

/** Syncs a folder, so that a new file in it survives a power cut. If this fails, the file system does it itself. */
export function syncFolder(folder: string): void {
  tryOr(() => {
    const fd = openSync(folder, "r");
    using _ = closing(fd);
    fsyncSync(fd);
  });
}

const syncLater = (folder: string): Promise<void> =>
  new Promise((done) => {
    open(folder, "r", (failed, fd) => (failed ? done() : fsync(fd, () => close(fd, () => done()))));
  });
