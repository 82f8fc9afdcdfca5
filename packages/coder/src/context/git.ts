import { fstatSync, lstatSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { closing, openPlain, readPlain, readRange, tryOr } from "@pith/kit";
import { plain } from "./tree.ts";

const maxBytes = 64 * 1024;
/** A larger index is not read, because that would take too long at the start. */
const most = { index: 256 * 1024, entries: 400 };

/** Reads the branch of a work tree from its files; undefined when they do not tell. */
export function branchOf(root: string): string | undefined {
  const folder = gitFolder(root);
  const head = folder === undefined ? undefined : readPlain(join(folder, "HEAD"), { maxBytes });
  if (!head?.ok) return undefined;
  const branch = /^ref: refs\/heads\/(\S+)/.exec(head.value)?.[1];
  if (branch !== undefined) return plain(branch, 100);
  return /^[0-9a-f]{40,64}\s*$/.test(head.value) ? `none, at ${head.value.slice(0, 12)}` : undefined;
}

/**
 * Returns true when a tracked file is gone or has another size. Undefined means unknown, not clean: other changes
 * cannot be told cheaply.
 */
export function isDirty(root: string): true | undefined {
  const folder = gitFolder(root);
  const index = folder === undefined ? undefined : bytesOf(join(folder, "index"));
  if (!index || index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  // From version 4 on names are compressed.
  if (version < 2 || version > 3 || count > most.entries) return undefined;
  try {
    for (let at = 12, left = count; left > 0; left--) {
      const [mode, size, flags] = [
        index.readUInt32BE(at + 24),
        index.readUInt32BE(at + 36),
        index.readUInt16BE(at + 60),
      ];
      const from = at + 62 + (version === 3 && (flags & 0x4000) !== 0 ? 2 : 0);
      const end = index.indexOf(0, from);
      const name = index.toString("utf8", from, end);
      // Entries are padded to a multiple of eight bytes.
      at += Math.ceil((end - at + 1) / 8) * 8;
      const isFile = (mode & 0o170000) === 0o100000;
      if (!isFile || (flags & 0x8000) !== 0 || isAbsolute(name) || name.split("/").includes("..")) continue;
      const now = lstatSync(join(root, name), { throwIfNoEntry: false });
      if (!now || (size !== 0 && now.size % 2 ** 32 !== size)) return true;
    }
  } catch {
    // A broken index tells nothing.
  }
  return undefined;
}

/** Returns the folder of git: `.git` itself, or the one that a file of that name points to. */
function gitFolder(root: string): string | undefined {
  const path = join(root, ".git");
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return path;
  const file = stat?.isFile() ? readPlain(path, { maxBytes }) : undefined;
  const named = file?.ok ? /^gitdir: (.+?)\s*$/m.exec(file.value)?.[1] : undefined;
  return named === undefined ? undefined : resolve(root, named);
}

function bytesOf(path: string): Buffer | undefined {
  return tryOr(() => {
    const fd = openPlain(path, "refused");
    using _ = closing(fd);
    const { size } = fstatSync(fd);
    if (size > most.index) return undefined;
    return readRange(fd, 0, size);
  });
}
