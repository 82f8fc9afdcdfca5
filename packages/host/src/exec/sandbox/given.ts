import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside, linkStat, realPath, tryOr } from "@pith/kit";

/** Options for the files of the machine's `/tmp` that commands see. */
interface GivenOptions {
  /** The paths below `/tmp` that a person named. */
  named(): ReadonlySet<string>;
  /** The folder that `/tmp` is in the sandbox. */
  tmp(): string;
}

/**
 * The files of the machine's `/tmp` that commands may read though `/tmp` is a folder of their own: those that a person
 * named. What the session itself has put there under such a name wins.
 */
export class GivenFiles {
  readonly #options: GivenOptions;
  /** Empty files of the session's own folder over which given ones are mounted, by the path that they stand for. */
  readonly #places = new Map<string, number>();

  constructor(options: GivenOptions) {
    this.#options = options;
  }

  /** True where a path below `/tmp` means the machine's own: a regular file, or nothing yet. */
  has(path: string): boolean {
    if (!this.#options.named().has(path) || realPath(dirname(path)) !== dirname(path)) return false;
    const outside = linkStat(path);
    if (outside !== undefined && !outside.isFile()) return false;
    const own = linkStat(this.#placeOf(path));
    return own === undefined || (own.size === 0 && own.ino === this.#places.get(path));
  }

  /** Lists those that are there, each with a place at which it can be mounted. */
  present(): string[] {
    return [...this.#options.named()].filter(
      (path) => isInside("/tmp", path) && this.has(path) && linkStat(path) !== undefined && this.#makePlace(path),
    );
  }

  #makePlace(path: string): boolean {
    const place = this.#placeOf(path);
    if (this.#places.has(path) && linkStat(place) !== undefined) return true;
    const ino = tryOr(() => {
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
      writeFileSync(place, "", { flag: "wx", mode: 0o600 });
      return lstatSync(place).ino;
    });
    if (ino !== undefined) this.#places.set(path, ino);
    return ino !== undefined;
  }

  #placeOf(path: string): string {
    return join(this.#options.tmp(), path.slice("/tmp".length));
  }
}
