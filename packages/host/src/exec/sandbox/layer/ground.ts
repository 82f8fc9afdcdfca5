import { chmodSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { type Holder, openHolder } from "../holder.ts";
import type { SandboxTools } from "../tools.ts";
import { changesIn, type Discarded } from "./discarded.ts";

/** The layers of one command: what it changes in their folders is in them, and goes with them. */
export interface Layers extends Disposable {
  /** Words before the program that builds a sandbox: they mount the layers, in a namespace of the command's own. */
  enter: readonly string[];
  /** Folders, and where their layers are mounted. */
  binds: readonly { path: string; from: string }[];
  /** Names what has been changed. */
  discarded(): Discarded[];
}

/** The place in which the layers of a session are made: a user namespace, where overlays may be mounted. */
export class LayerGround implements Disposable {
  /** The folders over which a layer can be put, by their real paths. */
  readonly folders: readonly string[];
  /** Settled when none can be made any more. */
  readonly over: Promise<unknown>;
  readonly #holder: Holder;
  readonly #wanted: readonly string[];
  readonly #place: string;
  /** The same place as we see it: by way of a process in it. */
  readonly #root: string;
  readonly #enter: readonly string[];
  readonly #mount: string;
  #count = 0;

  private constructor(
    holder: Holder,
    { place, wanted, tools }: { place: string; wanted: readonly string[]; tools: LayerTools },
  ) {
    const [pid = "", ...usable] = holder.line.trim().split(" ");
    this.#holder = holder;
    this.#wanted = wanted;
    this.#place = place;
    this.#root = `/proc/${pid}/root${place}`;
    this.#mount = tools.mount;
    this.#enter = [tools.nsenter, "-t", pid, "--user", "--mount", "--preserve-credentials", "--", tools.unshare, "-m"];
    this.folders = usable.flatMap((number) => wanted[Number(number)] ?? []);
    this.over = holder.over;
  }

  /** Tries a layer over each of some folders. Undefined where there can be none over the first. */
  static async open(
    { nsenter, unshare, mount }: SandboxTools,
    place: string,
    wanted: readonly string[],
  ): Promise<LayerGround | undefined> {
    if (nsenter === undefined || unshare === undefined || mount === undefined) return undefined;
    // The names of folders stand in links, that of the place in options.
    if (!/^[\w./-]+$/.test(place)) return undefined;
    mkdirSync(place, { mode: 0o700, recursive: true });
    const own = [
      unshare,
      "--user",
      "--map-root-user",
      "--mount",
      "--propagation",
      "slave",
      "/bin/sh",
      "-c",
      hold,
      "sh",
    ];
    const holder = await openHolder([...own, mount, place, String(mostBytes()), ...wanted], /^\d+ 0\b/);
    return holder && new LayerGround(holder, { place, wanted, tools: { nsenter, unshare, mount } });
  }

  /** Makes a layer over each of these folders, for one command. */
  make(folders: readonly string[]): Layers {
    const name = String(++this.#count);
    const made = folders.map((path, at) => ({ path, own: `${name}/${at}` }));
    for (const { path, own } of made) {
      for (const part of ["u", "w", "m"]) mkdirSync(join(this.#root, own, part), { recursive: true, mode: 0o700 });
      // A folder has the mode of its upper side.
      chmodSync(join(this.#root, own, "u"), lstatSync(path).mode & 0o7777);
    }
    const rows = made.map(({ path, own }) => {
      const [lower, at] = [join(this.#place, `l${this.#wanted.indexOf(path)}`), join(this.#place, own)];
      const sides = `lowerdir=${lower},upperdir=${at}/u,workdir=${at}/w`;
      return `layer ${at}/m overlay ${sides},${options} 0 0\n`;
    });
    writeFileSync(join(this.#root, name, "table"), rows.join(""));
    const table = join(this.#place, name, "table");
    return {
      enter: [...this.#enter, "/bin/sh", "-c", mountAll, "sh", this.#mount, table],
      binds: made.map(({ path, own }) => ({ path, from: join(this.#place, own, "m") })),
      discarded: () => made.flatMap(({ path, own }) => changesIn(join(this.#root, own, "u"), path)),
      [Symbol.dispose]: () => this.#holder.say(`${name}\n`),
    };
  }

  [Symbol.dispose](): void {
    this.#holder[Symbol.dispose]();
  }
}

type LayerTools = Record<"nsenter" | "unshare" | "mount", string>;

/** Nobody needs what is written there to be on a disk, and no attribute of a stranger's may lead elsewhere. */
const options = "userxattr,volatile,nosuid,nodev";

/** Mounts what a table says, and becomes what follows. */
const mountAll = 'm=$1 t=$2; shift 2; "$m" -n -i -a -T "$t" && exec "$@"';

/**
 * Takes memory for all layers and tries one: over a folder of its own, in which a folder is replaced, then over each
 * that is named. Prints its number and those that work; then removes the layers it is told of.
 */
const hold = `m=$1 at=$2 size=$3; shift 3
"$m" -n -i -t tmpfs -o "size=$size,mode=700,nosuid,nodev" layers "$at" && cd "$at" || exit 1
try() {
mkdir -p "$1/u" "$1/w" "$1/m" || return
"$m" -n -i -t overlay -o "lowerdir=$2,upperdir=$1/u,workdir=$1/w,userxattr" layer "$1/m"
}
mkdir -p own/d && try try own && rmdir try/m/d && mkdir try/m/d && umount try/m || exit 1
said=$$ n=0
for path; do ln -s "$path" l$n && try t$n l$n 2>/dev/null && umount t$n/m && said="$said $n"; n=$((n+1)); done
rm -rf own try t?*; echo "$said"
while read -r gone; do rm -rf "$gone"; done`;

/** A quarter of the memory, and never more than two gigabytes. */
const mostBytes = (): number => Math.min(2 ** 31, Math.floor(totalmem() / 4));
