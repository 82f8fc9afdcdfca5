import { join, relative } from "node:path";
import { fileStat, tryOr } from "@pith/kit";
import type { Env } from "../exec/env.ts";
import { entriesIn } from "./index-file.ts";
import { encodeName } from "./name.ts";
import { type Repository, readRegular } from "./repository.ts";

/**
 * The contents that git has of the files of a work tree, told by its index: of a file whose size, times and number are
 * those that git noted, the content is the object that git noted with them.
 */
export class TrackedFiles {
  /** False where git may store other bytes than those of the file: each content must be compared with its id. */
  readonly exact: boolean;
  readonly #index: Buffer;
  readonly #below: string;
  readonly #entries: ReadonlyMap<string, number>;
  /** Seconds at which the index was written: a file of that second may have changed without another time. */
  readonly #written: number;

  /** `attributes` are files of attributes in the tree, from its top. */
  constructor(repository: Repository, index: Buffer, { root, env, attributes }: TrackedOptions) {
    this.#index = index;
    const way = relative(repository.top, root);
    this.#below = way === "" ? "" : `${way}/`;
    this.#entries = new Map(entriesIn(index));
    this.#written = (fileStat(join(repository.dir, "index"))?.mtimeMs ?? 0) / 1000;
    const tracked = [...this.#entries.keys()].filter((name) => /(?:^|\/)\.gitattributes$/.test(name));
    const all = new Set([...tracked.map((name) => join(repository.top, name)), ...attributes]);
    this.exact = !converts(repository, all, env);
  }

  /** The index of the repository that holds a directory; undefined where there is none that is understood. */
  static open(repository: Repository, options: TrackedOptions): TrackedFiles | undefined {
    const file = join(repository.dir, "index");
    const index = tryOr(() => readRegular(file, { maxBytes: maxIndex, links: "refuse" }));
    return index && new TrackedFiles(repository, index, options);
  }

  /** The id that git noted for a file that has not changed since. */
  idOf(path: string, { is, size, ino, mtime, ctime }: TrackedState): string | undefined {
    const name = this.#below + path;
    const at = this.#entries.get(ascii.test(name) ? name : encodeName(name).toString("latin1"));
    if (at === undefined) return undefined;
    const index = this.#index;
    const word = (n: number) => index.readUInt32BE(at + n * 4);
    const flags = index.readUInt16BE(at + 60);
    // Files that git was told not to look at, and those of an unfinished merge.
    if (flags & 0xb000 || (flags & 0x4000 && index.readUInt16BE(at + 62) & 0x6000)) return undefined;
    const [changed, modified] = [word(0) * 1000 + word(1) / 1e6, word(2) * 1000 + word(3) / 1e6];
    const isSame =
      word(9) === size % 2 ** 32 &&
      word(5) === ino % 2 ** 32 &&
      word(6) >> 12 === (is === "file" ? 0o10 : 0o12) &&
      Math.abs(modified - mtime) < microsecond &&
      Math.abs(changed - ctime) < microsecond;
    return isSame && word(2) < Math.floor(this.#written) ? index.toString("hex", at + 40, at + 60) : undefined;
  }
}

/** State of a file that tells whether it has changed; times in milliseconds. */
export interface TrackedState {
  is: "file" | "link";
  size: number;
  ino: number;
  mtime: number;
  ctime: number;
}

const ascii = /^[\0-\x7f]*$/;
const microsecond = 0.001;
const maxIndex = 128 * 1024 * 1024;
const maxConfig = 1024 * 1024;

export interface TrackedOptions {
  /** The directory that paths count from, with links resolved. */
  root: string;
  env: Env;
  /** Paths of the files of attributes in the tree. */
  attributes: readonly string[];
}

/** True where attributes or the configuration may have git store other bytes than those of a file. */
function converts({ dir, common }: Repository, attributes: Iterable<string>, env: Env): boolean {
  const home = env.HOME ?? "";
  const user = env.XDG_CONFIG_HOME ?? join(home, ".config");
  const systems = ["/etc/gitattributes", join(user, "git", "attributes"), join(common, "info", "attributes")];
  const configs = ["/etc/gitconfig", join(home, ".gitconfig"), join(user, "git", "config")];
  return (
    Object.keys(env).some((name) => name.startsWith("GIT_CONFIG")) ||
    [...configs, join(common, "config"), join(dir, "config.worktree")].some((file) =>
      converting.config.test(textOf(file)),
    ) ||
    systems.some((file) => converting.attributes.test(textOf(file))) ||
    // One that is gone counts as git has it.
    [...attributes].some((file) => converting.attributes.test(textOf(file, "eol")))
  );
}

/** The text of a file; one that cannot be read may say anything. */
const textOf = (file: string, gone = ""): string =>
  tryOr(() => readRegular(file, { maxBytes: maxConfig, links: "follow" })?.toString() ?? gone, "autocrlf eol");

const converting = {
  config: /autocrlf|attributesfile|\[\s*include/i,
  attributes: /\b(?:text|eol|crlf|ident|filter|working-tree-encoding)\b/,
};
