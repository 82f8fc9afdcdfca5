import { codeOf, shortId } from "@pith/kit";

/**
 * A name for what is written beside a file until it takes its place. It tells who made it, so that what a killed
 * process left can be cleared away.
 */
export const asideName = (): string => `.pith-${shortId(() => false)}.${process.pid}.tmp`;

/** Whose it is; undefined for any other name. */
export function asideOwner(name: string): number | undefined {
  const match = name.startsWith(".pith-") ? /^\.pith-[^.]+\.(\d+)\.tmp$/.exec(name) : undefined;
  return match ? Number(match[1]) : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === "EPERM";
  }
}
