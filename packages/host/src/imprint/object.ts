import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileStat, shortId, sumOf, tryOr, zlib } from "@pith/kit";
import { GitObjects, objectId } from "../git/objects.ts";
import { levelOf, type ObjectType, PackWriter } from "./pack.ts";

/** The refs that name the imprints of older versions. */
const refs = "refs/checkpoints";

/**
 * Objects in git's format, written and read without the git program, which would obey configuration and hooks. What is
 * not there is read from the project's own repository.
 */
export class ObjectStore {
  readonly dir: string;
  readonly #folders = new Set<string>();
  /** Objects that are known to be on disk. */
  readonly #known = new Set<string>();
  readonly #packed: GitObjects;
  #pack: PackWriter | undefined;
  #ready = false;
  /** The objects of the project's repository. */
  git: GitObjects | undefined;

  constructor(dir: string) {
    this.dir = dir;
    this.#packed = new GitObjects([join(dir, "objects")]);
  }

  /** Makes the directory a bare repository that git accepts. */
  prepare(): void {
    if (this.#ready) return;
    this.#ready = true;
    mkdirSync(join(this.dir, "objects", "pack"), { recursive: true, mode: 0o700 });
    mkdirSync(join(this.dir, refs), { recursive: true, mode: 0o700 });
    this.#packed.hold();
    if (existsSync(join(this.dir, "HEAD"))) return;
    const config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = 0\n";
    writeFileSync(join(this.dir, "config"), config, { mode: 0o600 });
    writeFileSync(join(this.dir, "HEAD"), "ref: refs/heads/none\n", { mode: 0o600 });
  }

  /** Writes what comes until `unbundle` into one file: a file for each of very many contents takes long. */
  bundle(): void {
    this.#pack ??= new PackWriter(join(this.dir, "objects", "pack"));
  }

  /** Ends that; `dropped` when it failed, and nothing of it counts. */
  unbundle(how: "kept" | "dropped"): void {
    const pack = this.#pack;
    this.#pack = undefined;
    if (how === "kept") pack?.finish();
    else {
      pack?.drop();
      this.#known.clear();
    }
    this.#packed.hold();
  }

  put(type: ObjectType, body: Uint8Array): string {
    const id = objectId({ type, body });
    if (this.has(id)) return id;
    if (this.#pack) this.#pack.add(id, type, body);
    else this.#write(id, type, body);
    this.#known.add(id);
    return id;
  }

  #write(id: string, type: ObjectType, body: Uint8Array): void {
    const head = Buffer.from(`${type} ${body.length}\0`);
    const packed = zlib().deflateSync(Buffer.concat([head, body]), { level: levelOf(body) });
    this.#place(id, (aside) => writeFileSync(aside, packed, { mode: 0o400 }));
  }

  #place(id: string, write: (aside: string) => void): void {
    const folder = join(this.dir, "objects", id.slice(0, 2));
    if (!this.#folders.has(folder)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#folders.add(folder);
    }
    // Renamed when complete, so that a crash leaves no half object under its name.
    const aside = join(folder, `tmp-${shortId(() => false)}`);
    try {
      write(aside);
      renameSync(aside, this.#path(id));
    } catch (thrown) {
      rmSync(aside, { force: true });
      throw thrown;
    }
  }

  has(id: string): boolean {
    if (this.#known.has(id)) return true;
    if (!this.#packed.has(id)) return false;
    this.#known.add(id);
    return true;
  }

  /** Throws when the object is missing, or differs from its id. */
  get(id: string, type: ObjectType): Buffer {
    const object = this.#packed.get(id) ?? this.git?.get(id);
    if (!object) throw new Error(`the stored object ${id} is missing`);
    if (object.type !== type) throw new Error(`the stored object ${id} is damaged`);
    return object.body;
  }

  /** Copies a content that only the project's repository has, so that it does not matter what becomes of that. */
  own(id: string): void {
    if (!this.has(id)) this.put("blob", this.get(id, "blob"));
  }

  /** Takes over the file of an object of the project's repository, shared with it where the file system can. */
  adopt(id: string, file: string): void {
    if (!this.has(id)) this.#place(id, (aside) => copyFileSync(file, aside, constants.COPYFILE_FICLONE));
    this.#known.add(id);
  }

  /** Bytes of the store. */
  size(): number {
    const objects = join(this.dir, "objects");
    const files = namesIn(objects).flatMap((folder) =>
      namesIn(join(objects, folder)).map((name) => join(objects, folder, name)),
    );
    return sumOf(files, (file) => fileStat(file)?.size ?? 0);
  }

  /** Removes all objects that are not needed. */
  sweep(needed: ReadonlySet<string>): void {
    const objects = join(this.dir, "objects");
    for (const folder of namesIn(objects).filter((name) => name.length === 2))
      for (const name of namesIn(join(objects, folder))) {
        if (name.startsWith("tmp-")) rmSync(join(objects, folder, name), { force: true });
        else if (!needed.has(folder + name)) {
          this.#known.delete(folder + name);
          unlinkSync(this.#path(folder + name));
        }
      }
    for (const name of namesIn(join(objects, "pack")))
      if (name.startsWith("tmp-")) rmSync(join(objects, "pack", name), { force: true });
    for (const [path, ids] of this.#packed.packs()) this.#sweepPack(path, ids, needed);
    const named = join(this.dir, refs);
    for (const name of namesIn(named)) if (!needed.has(name)) rmSync(join(named, name), { force: true });
  }

  /** Removes a pack of which less than half is needed; what is needed becomes files of their own. */
  #sweepPack(path: string, ids: readonly string[], needed: ReadonlySet<string>): void {
    const left = ids.filter((id) => needed.has(id));
    if (left.length * 2 >= ids.length) return;
    const objects = left.flatMap((id) => this.#packed.get(id) ?? []);
    this.#packed.forget(path);
    for (const end of [".idx", ".pack"]) rmSync(`${path}${end}`, { force: true });
    for (const id of ids) this.#known.delete(id);
    for (const { type, body } of objects) this.put(type as ObjectType, body);
  }

  close(): void {
    this.#packed[Symbol.dispose]();
    this.git?.[Symbol.dispose]();
  }

  #path(id: string): string {
    return join(this.dir, "objects", id.slice(0, 2), id.slice(2));
  }
}

const namesIn = (dir: string): string[] => tryOr(() => readdirSync(dir), []);
