import { existsSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasher, shortId, zlib } from "@pith/kit";

export type ObjectType = "blob" | "tree" | "commit";

/** The refs that name the imprints; existing stores have them under this name. */
export const refs = "refs/checkpoints";

/** Larger objects are not compressed. */
const compressed = 1024 * 1024;

/** Objects in git's format, written and read without the git program, which would obey configuration and hooks. */
export class ObjectStore {
  readonly dir: string;
  readonly #folders = new Set<string>();
  /** Objects that are known to be on disk. */
  readonly #known = new Set<string>();
  #ready = false;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Makes the directory a bare repository that git accepts. */
  prepare(): void {
    if (this.#ready) return;
    this.#ready = true;
    mkdirSync(join(this.dir, "objects"), { recursive: true, mode: 0o700 });
    mkdirSync(join(this.dir, refs), { recursive: true, mode: 0o700 });
    if (existsSync(join(this.dir, "HEAD"))) return;
    const config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = 0\n";
    writeFileSync(join(this.dir, "config"), config, { mode: 0o600 });
    writeFileSync(join(this.dir, "HEAD"), "ref: refs/heads/none\n", { mode: 0o600 });
  }

  put(type: ObjectType, body: Uint8Array): string {
    const head = Buffer.from(`${type} ${body.length}\0`);
    const id = hasher("sha1").update(head).update(body).digest("hex");
    if (this.has(id)) return id;
    const folder = join(this.dir, "objects", id.slice(0, 2));
    if (!this.#folders.has(folder)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#folders.add(folder);
    }
    // Renamed when complete, so that a crash leaves no half object under its name.
    const aside = join(folder, `tmp-${shortId(() => false)}`);
    const level = body.length > compressed ? 0 : 1;
    writeFileSync(aside, zlib().deflateSync(Buffer.concat([head, body]), { level }), { mode: 0o400 });
    renameSync(aside, this.#path(id));
    this.#known.add(id);
    return id;
  }

  has(id: string): boolean {
    if (this.#known.has(id)) return true;
    if (!existsSync(this.#path(id))) return false;
    this.#known.add(id);
    return true;
  }

  /** Throws when the object is missing, or differs from its id. */
  get(id: string, type: ObjectType): Buffer {
    const raw = zlib().inflateSync(readFileSync(this.#path(id)));
    const end = raw.indexOf(0);
    const isWhole = raw.subarray(0, end).toString() === `${type} ${raw.length - end - 1}`;
    if (!isWhole || hasher("sha1").update(raw).digest("hex") !== id)
      throw new Error(`the stored object ${id} is damaged`);
    return raw.subarray(end + 1);
  }

  drop(id: string): void {
    this.#known.delete(id);
    unlinkSync(this.#path(id));
  }

  #path(id: string): string {
    return join(this.dir, "objects", id.slice(0, 2), id.slice(2));
  }
}
