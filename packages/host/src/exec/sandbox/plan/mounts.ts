import { accessSync, constants, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "@pith/kit";

/** A mount as the kernel tells it, byte by byte: a name need not be text. */
export interface Mounted {
  id: string;
  /** The path that it is mounted on. */
  on: string;
  /** The part of a file system that stands at a place. */
  what: string;
  at: string;
  /** True when nobody can go there: the way is closed or another mount covers it. */
  isOutOfReach: boolean;
}

/** Reads the mounts of this process. There may be hundreds, and they seldom change. */
export function mountsHere(): readonly Mounted[] {
  const text = readFileSync("/proc/self/mountinfo", "latin1");
  if (last?.text === text) return last.mounts;
  const mounts = text.split("\n").flatMap((line): Mounted[] => {
    const [id = "", on = "", device, root, at] = line.split(" ");
    return at === undefined ? [] : [{ id, on, what: `${device} ${root}`, at, isOutOfReach: false }];
  });
  for (const one of mounts) one.isOutOfReach = mountOf(one.at, mounts) !== one || isClosed(one.at);
  last = { text, mounts };
  return mounts;
}
let last: { text: string; mounts: readonly Mounted[] } | undefined;

/** Lists what is mounted below a folder, the outermost only. */
export function mountsBelow(folder: string): string[] {
  const place = written(folder);
  const below = mountsHere().filter(({ at, isOutOfReach }) => at.startsWith(`${place}/`) && !isOutOfReach);
  const outer = below.filter(({ at }) => !below.some((other) => at.startsWith(`${other.at}/`)));
  return [...new Set(outer.map(({ at }) => Buffer.from(unwritten(at), "latin1").toString()))];
}

/** Finds the mount a path leads to. Mounts are walked as the kernel does: one may lie below another that covers it. */
function mountOf(place: string, mounts: readonly Mounted[]): Mounted | undefined {
  const onWay = mounts
    .filter(({ at }) => at === "/" || at === place || place.startsWith(`${at}/`))
    .sort((one, other) => one.at.length - other.at.length);
  let stands = onWay[0];
  for (let next = stands; next; next = onWay.find(({ id, on }) => on === stands?.id && id !== on)) stands = next;
  return stands;
}

/** Finds the part of a file system that a path is. */
export function whatIs(path: string, mounts: readonly Mounted[]): string {
  const place = written(path);
  const { what, at } = mountOf(place, mounts) ?? { what: "", at: "/" };
  const below = place.slice(at === "/" ? 0 : at.length);
  return below === "" || below === "/" ? what : what.replace(/\/$/, "") + below;
}

/** A file system that does not answer is not asked. */
function isClosed(at: string): boolean {
  try {
    accessSync(Buffer.from(unwritten(dirname(at)), "latin1"), constants.X_OK);
  } catch (thrown) {
    return codeOf(thrown) === "EACCES";
  }
  return false;
}

/** Reads a path of that list, byte by byte. */
const unwritten = (at: string): string =>
  at.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));

/** As the kernel writes a path into its list. */
export const written = (path: string): string =>
  Buffer.from(path)
    .toString("latin1")
    .replace(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`);
