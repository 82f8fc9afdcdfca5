import { codeOf, hasher, shortId } from "@pith/kit";

/**
 * A name for a file that is written beside another one until it takes its place. It holds the process, so that files of
 * a killed one can be cleared away, and a checksum, so that no other program makes such a name by chance.
 */
export function asideName(pid: number = process.pid): string {
  const id = shortId(() => false);
  return `.pith-${id}${sumOf(id, pid)}.${pid}.tmp`;
}

/** The process that made the name; undefined for any other name. */
export function asideOwner(name: string): number | undefined {
  const match = name.startsWith(".pith-") ? form.exec(name) : undefined;
  const [, id = "", sum, pid] = match ?? [];
  return pid !== undefined && sum === sumOf(id, Number(pid)) ? Number(pid) : undefined;
}

const form = /^\.pith-([\da-f]{8})([\da-f]{8})\.(\d+)\.tmp$/;

const sumOf = (id: string, pid: number): string =>
  hasher("sha1").update(`pith aside ${id} ${pid}`).digest("hex").slice(0, 8);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === "EPERM";
  }
}
