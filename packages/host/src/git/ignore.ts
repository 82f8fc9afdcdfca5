import { lstatSync, type Stats } from "node:fs";
import { join, relative } from "node:path";
import { realPath, tryOr } from "@pith/kit";
import type { Env } from "../exec/env.ts";
import { trackedIn } from "./index-file.ts";
import { encodeName } from "./name.ts";
import { type IgnorePattern, matchesPattern, parsePatterns } from "./pattern.ts";
import { type Repository, readRegular, repositoryOf, Unclear } from "./repository.ts";
import { userExcludes } from "./user-excludes.ts";

const maxIndex = 128 * 1024 * 1024;
const maxRules = 1024 * 1024;
/** Bytes of all ignore files together. */
const maxAllRules = 16 * 1024 * 1024;
/** Bytes compared with steps of patterns. */
const maxWork = 100_000_000;

/**
 * Returns those of the paths (relative to `root`) that git ignores, and does not track. Undefined when there is no
 * repository, or it cannot be understood.
 *
 * Does not run git, which would obey the configuration of the repository and may run programs. Reads only ignore files
 * and the index: an ignore file that is left out of a sparse checkout counts as empty.
 */
export function ignoredBy(root: string, paths: readonly string[], env: Env): Set<string> | undefined {
  try {
    const real = realPath(root);
    const repository = repositoryOf(real);
    if (!repository) return undefined;
    const way = relative(repository.top, real);
    const rules = new Rules(repository, env);
    const ignored = new Map<string, string>();
    for (const path of paths) {
      const full = encodeName(way === "" ? path : `${way}/${path}`).toString("latin1");
      if (rules.ignores(full)) ignored.set(full, path);
    }
    for (const full of trackedOf(repository, ignored)) ignored.delete(full);
    return new Set(ignored.values());
  } catch (thrown) {
    if (thrown instanceof Unclear) return undefined;
    throw thrown;
  }
}

function trackedOf({ dir }: Repository, asked: ReadonlyMap<string, string>): Iterable<string> {
  if (asked.size === 0) return [];
  const read = (name: string) => readRegular(join(dir, name), { maxBytes: maxIndex, links: "refuse" });
  const index = read("index");
  if (index) return trackedIn(index, new Set(asked.keys()), read);
  if (lookAt(join(dir, "index"))) throw new Unclear("the index cannot be read");
  return [];
}

/** The rules of a directory. */
interface Level {
  /** True when it is ignored with all its entries. */
  ignored: boolean;
  /** The ignore files above and in it. */
  files: readonly RuleFile[];
}
interface RuleFile {
  /** The directory that the patterns count from, with a slash behind it; empty for the top. */
  base: string;
  patterns: readonly IgnorePattern[];
}

class Rules {
  readonly #top: string;
  readonly #levels = new Map<string, Level>();
  #bytes = 0;
  #work = 0;

  constructor({ top, common }: Repository, env: Env) {
    this.#top = top;
    const user = userExcludes(env);
    const files = [
      ...(user === undefined ? [] : this.#read(user, "", "follow")),
      ...this.#read(join(common, "info", "exclude"), "", "refuse"),
      ...this.#read(join(top, ".gitignore"), "", "refuse"),
    ];
    this.#levels.set("", { ignored: false, files });
  }

  ignores(path: string): boolean {
    const level = this.#levelOf(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
    return level.ignored || this.#matches(level.files, path, () => lookAt(this.#onDisk(path))?.isDirectory() === true);
  }

  #levelOf(folder: string): Level {
    let above = folder;
    while (!this.#levels.has(above)) above = above.slice(0, Math.max(0, above.lastIndexOf("/")));
    let level = this.#levels.get(above) as Level;
    while (above !== folder) {
      const cut = folder.indexOf("/", above === "" ? 0 : above.length + 1);
      above = cut === -1 ? folder : folder.slice(0, cut);
      level = this.#below(level, above);
      this.#levels.set(above, level);
    }
    return level;
  }

  /** The rules of a subdirectory. In an ignored directory, its own ignore files do not count. */
  #below({ ignored, files }: Level, folder: string): Level {
    if (ignored || this.#matches(files, folder, () => true)) return { ignored: true, files };
    const more = this.#read(this.#onDisk(`${folder}/.gitignore`), `${folder}/`, "refuse");
    return more.length === 0 ? { ignored, files } : { ignored, files: [...files, ...more] };
  }

  /** True when the rules ignore a path: the deepest file decides, and in it the last pattern that matches. */
  #matches(files: readonly RuleFile[], path: string, isFolder: () => boolean): boolean {
    for (const { base, patterns } of files.toReversed()) {
      const below = path.slice(base.length);
      for (let i = patterns.length - 1; i >= 0; i--) {
        const pattern = patterns[i] as IgnorePattern;
        this.#work += 1 + (pattern.glob?.length ?? 0) * below.length;
        if (this.#work > maxWork) throw new Unclear("the ignore files are too large");
        if (matchesPattern(pattern, below) && (!pattern.directories || isFolder())) return !pattern.negated;
      }
    }
    return false;
  }

  #read(path: string | Buffer, base: string, links: "follow" | "refuse"): RuleFile[] {
    const bytes = readRegular(path, { maxBytes: maxRules, links });
    this.#bytes += bytes?.length ?? 0;
    if (this.#bytes > maxAllRules) throw new Unclear("the ignore files are too large");
    return bytes?.length ? [{ base, patterns: parsePatterns(bytes.toString("latin1")) }] : [];
  }

  #onDisk(path: string): Buffer {
    return Buffer.concat([encodeName(`${this.#top}/`), Buffer.from(path, "latin1")]);
  }
}

const lookAt = (path: string | Buffer): Stats | undefined => tryOr(() => lstatSync(path, { throwIfNoEntry: false }));
