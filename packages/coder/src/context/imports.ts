import { dirname, resolve } from "node:path";
import { byteLength, defined, expandHome, fail, isInside, ok, type Result, readPlain, realPath } from "@pith/kit";

export interface Imported {
  path: string;
  text: string;
}

export interface ImportRoom {
  userHome: string;
  /** The directory that an imported file must be in; files of the user may import from anywhere. */
  within?: string | undefined;
  owner?: ((path: string, uid: number) => boolean) | undefined;
  /** True when a rule forbids everyone to read a path. */
  forbids(path: string): boolean;
  /** Real paths that were read already. */
  seen: Set<string>;
  /** Names and bytes that may still be read. */
  left: { names: number; bytes: number };
  /** Called with each path before it is read. */
  looked?(path: string): void;
  warn(text: string): void;
}

const maxDepth = 5;
/** Names that are followed at most. */
export const maxNames = 500;
const maxRead = 1024 * 1024;

/** Reads the files that a text names with `@path`, and those that they name. Names within code do not count. */
export function importsOf(file: string, text: string, room: ImportRoom, chain: readonly string[] = []): Imported[] {
  const here = [...chain, realPath(file)];
  return namesIn(text).flatMap(({ name, line }) => {
    if (room.left.names <= 0 || room.left.bytes <= 0) return [];
    room.left.names -= 1;
    const path = resolve(dirname(file), expandHome(name, room.userHome));
    room.looked?.(path);
    const where = `${file}:${line}: @${name}`;
    const real = realPath(path);
    if (here.includes(real)) {
      room.warn(`${where} is not read: it imports itself`);
      return [];
    }
    if (room.seen.has(real)) return [];
    const read = textOf(path, name, real, room);
    if (!read.ok) {
      if (read.message !== "") room.warn(`${where} is not read: it ${read.message}`);
      return [];
    }
    if (here.length > maxDepth) {
      room.warn(`${where} is not read: imports go ${maxDepth} files deep`);
      return [];
    }
    room.seen.add(real);
    room.left.bytes -= byteLength(read.value);
    if (room.left.bytes <= 0) room.warn(`${where} is the last one read: the limit of bytes is reached`);
    else if (room.left.names === 0)
      room.warn(`${where} is the last one read: the limit of ${maxNames} names is reached`);
    return [{ path, text: read.value.trim() }, ...importsOf(path, read.value, room, here)];
  });
}

/** Reads a named file. The failure has no message when the name is no file, but an ordinary word. */
function textOf(
  path: string,
  name: string,
  real: string,
  { within, owner, forbids }: ImportRoom,
): Result<string, "unfit"> {
  if (within !== undefined && !isInside(realPath(within), real))
    return fail("unfit", /[/.]/.test(name) && looksRead(path) ? `leads out of ${within}` : "");
  if (forbids(path)) return fail("unfit", "is forbidden by a rule");
  const isOwned = owner && ((uid: number) => owner(path, uid));
  const read = readPlain(path, defined({ maxBytes: maxRead, within, owner: isOwned }));
  if (!read.ok) return fail("unfit", read.kind !== "missing" && /\.\w+$/.test(name) ? read.message : "");
  return read.value.includes("\0") ? fail("unfit", "is not text") : ok(read.value);
}

const looksRead = (path: string): boolean => readPlain(path, { maxBytes: maxRead }).ok;

/** Finds `@path` at the beginning of words, outside of code, with its line. */
function namesIn(text: string): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = [];
  let fence: string | undefined;
  for (const [index, row] of text.split("\n").entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(row)?.[1];
    if (mark && (fence === undefined || mark.startsWith(fence))) fence = fence === undefined ? mark : undefined;
    if (fence !== undefined || mark) continue;
    for (const [, name = ""] of withoutCode(row).matchAll(/(?<=^|[\s(])@([^\s`"'<>]+)/g)) {
      const clean = withoutEnd(name);
      if (clean !== "") found.push({ name: clean, line: index + 1 });
    }
  }
  return found;
}

/** Blanks the code in a row, which stands between runs of backticks of one length. */
function withoutCode(row: string): string {
  if (!row.includes("`")) return row;
  const runs = [...row.matchAll(/`+/g)].map(({ 0: ticks, index }) => ({ at: index, length: ticks.length }));
  const after = new Map<number, number>();
  // From the end, so that each run knows the next one of its length.
  const ends = runs.toReversed().map(({ at, length }) => {
    const end = after.get(length);
    after.set(length, at + length);
    return end;
  });
  let plain = "";
  let from = 0;
  for (const [index, { at }] of runs.entries()) {
    const end = ends[runs.length - 1 - index];
    if (at < from || end === undefined) continue;
    plain += `${row.slice(from, at)}${" ".repeat(end - at)}`;
    from = end;
  }
  return plain + row.slice(from);
}

/** Removes punctuation from the end of a name. */
export function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && ".,;:!?)]".includes(name[end - 1] ?? " ")) end -= 1;
  return name.slice(0, end);
}
