import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, statfsSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { sleep, tryOr } from "@pith/kit";
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

/**
 * The place in which the layers of a session are made: a user namespace, where overlays may be mounted. Where the
 * kernel has none for a folder, `fuse-overlayfs` makes it.
 */
export class LayerGround implements Disposable {
  /** The folders over which a layer can be put, by their real paths. */
  readonly folders: readonly string[];
  /** Settled when none can be made any more. */
  readonly over: Promise<unknown>;
  readonly #holder: Holder;
  readonly #wanted: readonly string[];
  readonly #made: ReadonlyMap<string, "kernel" | "fuse">;
  readonly #place: string;
  /** The same place as we see it: by way of a process in it. */
  readonly #root: string;
  readonly #enter: readonly string[];
  readonly #unshare: string;
  readonly #mount: string;
  /** Names of layers that are being removed. */
  readonly #going = new Set<string>();
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
    this.#enter = [tools.nsenter, "-t", pid, "--user", "--mount", "--preserve-credentials", "--"];
    this.#unshare = tools.unshare;
    this.#made = new Map(
      usable.map((said) => [wanted[Number.parseInt(said, 10)] ?? "", said.endsWith("f") ? "fuse" : "kernel"]),
    );
    this.folders = [...this.#made.keys()];
    this.over = holder.over;
  }

  /** Tries a layer over each of some folders. Undefined where there can be none over the first. */
  static async open(
    { nsenter, unshare, mount, fuse = "" }: SandboxTools,
    folder: string,
    wanted: readonly string[],
  ): Promise<LayerGround | undefined> {
    if (nsenter === undefined || unshare === undefined || mount === undefined) return undefined;
    // The names of folders stand in links, that of the place in options.
    if (!/^[\w./-]+$/.test(folder)) return undefined;
    mkdirSync(folder, { mode: 0o700, recursive: true });
    // What an earlier one has left is not taken for a mount.
    const own = mkdtempSync(join(folder, "own-"));
    const [place, low] = [join(own, "up"), join(own, "low")];
    for (const one of [place, low]) mkdirSync(one, { mode: 0o700 });
    const words = (below: string) => [mount, place, below, fuse, String(mostBytes()), ...wanted];
    const inside = (below: string) => [unshare, ...ownNamespace, "/bin/sh", "-c", hold, "sh", ...words(below)];
    const apart = [unshare, "--mount", "--propagation", "slave", "/bin/sh", "-c", bindEach, "sh"];
    const bound = [...apart, mount, low, String(wanted.length), ...wanted, ...inside(low)];
    const ways = process.getuid?.() === 0 ? [bound, inside("")] : [inside("")];
    for (const argv of ways) {
      const holder = await openHolder(argv, /^\d+ 0f?(?: |$)/);
      if (holder) return new LayerGround(holder, { place, wanted, tools: { nsenter, unshare, mount } });
    }
    return undefined;
  }

  /** True where a layer may stand before it is used: the other program shows a folder as it was when it first looked. */
  get canWait(): boolean {
    return ![...this.#made.values()].includes("fuse");
  }

  /** Waits, for a while, until there is room for what a command may write: removing much of it takes its time. */
  async room(): Promise<void> {
    const until = performance.now() + patienceMs;
    const isFull = () => {
      for (const name of this.#going) if (!existsSync(join(this.#root, name))) this.#going.delete(name);
      return this.#going.size > 0 && tryOr(() => leftIn(this.#root), 0) < 0.9;
    };
    while (isFull() && performance.now() < until) await sleep(5);
  }

  /** Makes a layer over each of these folders, for one command. */
  make(folders: readonly string[]): Layers {
    const name = String(++this.#count);
    const made = folders.map((path, at) => ({ path, own: `${name}/${at}`, by: this.#made.get(path) }));
    for (const { path, own } of made) {
      for (const part of ["u", "w", "m"]) mkdirSync(join(this.#root, own, part), { recursive: true, mode: 0o700 });
      // A folder has the mode of its upper side.
      chmodSync(join(this.#root, own, "u"), lstatSync(path).mode & 0o7777);
    }
    const rows = made.map(({ path, own, by }) => {
      const [lower, at] = [join(this.#place, `l${this.#wanted.indexOf(path)}`), join(this.#place, own)];
      const sides = `lowerdir=${lower},upperdir=${at}/u,workdir=${at}/w`;
      return by === "fuse"
        ? { fuse: `${sides} ${at}/m\n` }
        : { kernel: `layer ${at}/m overlay ${sides},${options} 0 0\n` };
    });
    writeFileSync(join(this.#root, name, "table"), rows.map(({ kernel = "" }) => kernel).join(""));
    const others = rows.map(({ fuse = "" }) => fuse).join("");
    const place = join(this.#place, name);
    let gone = false;
    if (others !== "") {
      writeFileSync(join(this.#root, name, "fuse"), others);
      this.#holder.say(`+ ${name}\n`);
    }
    const wait = others === "" ? [] : ["/bin/sh", "-c", waitFor, "sh", join(place, "ready")];
    return {
      enter: [...this.#enter, ...wait, this.#unshare, "-m", "/bin/sh", "-c", mountAll, "sh", this.#mount, place],
      binds: made.map(({ path, own }) => ({ path, from: join(this.#place, own, "m") })),
      discarded: () => made.flatMap(({ path, own }) => changesIn(join(this.#root, own, "u"), path)),
      [Symbol.dispose]: () => {
        if (gone) return;
        gone = true;
        this.#going.add(name);
        this.#holder.say(`- ${name}\n`);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#holder[Symbol.dispose]();
  }
}

type LayerTools = Record<"nsenter" | "unshare" | "mount", string>;

/** The part of a file system that is free, of what is scarcer. */
function leftIn(place: string): number {
  const { bavail, blocks, ffree, files } = statfsSync(place);
  return Math.min(bavail / blocks, ffree / files);
}

/** Nobody needs what is written there to be on a disk, and no attribute of a stranger's may lead elsewhere. */
const options = "userxattr,volatile,nosuid,nodev";

/** Whatever runs in it ends with it. */
const ownNamespace = `--user --map-root-user --mount --pid --fork --kill-child --propagation slave`.split(" ");

/**
 * Mounts each folder without what is mounted below it, and becomes what follows: in a user namespace, no layer can be
 * put over what has mounts of the machine below. Only root can.
 */
const bindEach = `m=$1 low=$2 left=$3 n=0; shift 3
while [ $n -lt $left ]; do
mkdir "$low/$n" && "$m" -n -i --bind "$1" "$low/$n" && "$m" -n --make-private "$low/$n"
shift; n=$((n+1))
done
exec "$@"`;

/** Mounts what a table says, and becomes what follows. */
const mountAll = 'm=$1 at=$2; shift 2; "$m" -n -i -a -T "$at/table" && exec "$@"';

/** Waits for the layers that somebody else mounts, and becomes what follows. */
const waitFor =
  'at=$1 n=0; shift; until [ -e "$at" ]; do [ $((n+=1)) -lt 300 ] && sleep 0.01 || exit 1; done; exec "$@"';

/**
 * Takes memory for all layers and tries one: over a folder of its own, in which a folder is replaced, then over each
 * that is named. Prints its number and those that work; then makes and removes the layers it is told of.
 */
const hold = `m=$1 at=$2 low=$3 f=$4 size=$5; shift 5
read -r said _ </proc/self/stat
"$m" -n -i -t tmpfs -o "size=$size,nr_inodes=$((size/4096)),mode=700,nosuid,nodev" layers "$at" && cd "$at" || exit 1
kernel() { "$m" -n -i -t overlay -o "lowerdir=$2,upperdir=$1/u,workdir=$1/w,userxattr" layer "$1/m" 2>/dev/null; }
fuse() { [ "$f" ] && "$f" -o "lowerdir=$at/$2,upperdir=$at/$1/u,workdir=$at/$1/w" "$at/$1/m" >/dev/null 2>&1; }
try() {
rm -rf try; mkdir -p try/u try/w try/m own/d
$1 try own && rmdir try/m/d && mkdir try/m/d && umount try/m
}
try kernel && k=kernel || { k=false; try fuse; } || exit 1
n=0
for path; do
[ "$low" ] && [ -d "$low/$n" ] && path=$low/$n
ln -s "$path" l$n; mkdir -p t$n/u t$n/w t$n/m
if $k t$n l$n; then umount t$n/m; said="$said $n"
elif fuse t$n l$n; then umount t$n/m; said="$said \${n}f"; fi
n=$((n+1))
done
rm -rf own try t?*; echo "$said"
while read -r what name; do
case $what in
+) while read -r sides to; do "$f" -o "$sides,nosuid,nodev" "$to" >/dev/null 2>&1; done <"$name/fuse"
: >"$name/ready" ;;
-) [ -e "$name/fuse" ] && umount -l "$name"/*/m 2>/dev/null; rm -rf "$name" ;;
esac
done`;

/** A quarter of the memory, and never more than two gigabytes. */
const mostBytes = (): number => Math.min(2 ** 31, Math.floor(totalmem() / 4));
const patienceMs = 3000;
