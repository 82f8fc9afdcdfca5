import { dirname, join } from "node:path";
import { type FolderEntry, listArchive, readTree } from "@pith/host";
import { type Fail, fail, ok } from "@pith/kit";

type Bars = (path: string, from: string) => boolean;

/** Reads a folder without the entries that are not to be seen. */
export const barredTree =
  (bars: Bars): typeof readTree =>
  async (path, request) => {
    const read = await readTree(path, request);
    if (!read.ok) return read;
    const way: string[] = [];
    let shut = Number.POSITIVE_INFINITY;
    let gone = 0;
    const entries = read.value.entries.filter(({ name, depth }: FolderEntry) => {
      if (depth > shut) return false;
      way.length = depth;
      way.push(name);
      const barred = bars(join(path, ...way), path);
      shut = barred ? depth : Number.POSITIVE_INFINITY;
      if (barred && depth === 0) gone++;
      return !barred;
    });
    return ok({ ...read.value, entries, total: read.value.total - gone });
  };

/** Lists an archive without the entries that are not to be seen. */
export const barredMembers =
  (bars: Bars): typeof listArchive =>
  async (path, signal) => {
    const listed = await listArchive(path, signal);
    if (!listed.ok) return listed;
    const { entries } = listed.value;
    return ok({ ...listed.value, entries: entries.filter(({ name }) => !barredIn(bars, path, name)) });
  };

/** Wraps a look at a file of an archive, which fails where that is not to be seen. */
export const barredMember =
  <A extends unknown[], R>(bars: Bars, look: (path: string, name: string, ...more: A) => Promise<R>) =>
  async (path: string, name: string, ...more: A): Promise<R | Fail<"denied">> =>
    barredIn(bars, path, name) ? fail("denied", `${path}: a rule forbids to read ${name}`) : look(path, name, ...more);

/** Told by the name in the archive, and by the one that the file would have beside it. */
const barredIn = (bars: Bars, archive: string, name: string): boolean =>
  [archive, dirname(archive)].some((folder) => bars(join(folder, name), archive));
