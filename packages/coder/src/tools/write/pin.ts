import type { Touch } from "@pith/agent";
import type { AnyTarget } from "@pith/host";
import { ok, type Result } from "@pith/kit";
import type { Files } from "../../files/files.ts";

/** A file that is changed inside and not replaced by bytes that are known: an archive, a database. */
export interface Pinned {
  path: string;
  /** What stands there; its content is not read. */
  target: AnyTarget;
  touch: Touch;
}

/** Finds what a change is meant for. */
export function pin(files: Files, path: string): Result<Pinned, string> {
  const target = files.findAny(path, 0);
  if (!target.ok) return target;
  return ok({ path, target: target.value, touch: { effect: "write", path, real: target.value.real } });
}

/** Whether it still is that file; `content`: and nobody has written it since. */
export function isStill(files: Files, { path, target }: Pinned, what: "the file" | "its content"): boolean {
  const there = files.findAny(path, 0);
  if (!there.ok || there.value.real !== target.real) return false;
  const now = there.value;
  if (now.is === "missing" || target.is === "missing") return now.is === target.is;
  const [a, b] = [now.stat, target.stat];
  const same = a.dev === b.dev && a.ino === b.ino;
  return same && (what === "the file" || (a.size === b.size && a.mtimeNs === b.mtimeNs));
}

export const swapped = (name: string): string =>
  `${name}: was changed by something else in the meantime. Nothing was written.`;
