import type { Touch } from "@pith/agent";
import type { AnyTarget } from "@pith/host";
import { ok, type Result } from "@pith/kit";
import type { Files } from "../../../files/files.ts";

/** A file that is changed inside and not replaced by bytes that are known: an archive, a database. */
export interface Pinned {
  path: string;
  /** The file there, of which the content is not read. */
  target: AnyTarget;
  touch: Touch;
}

export function pin(files: Files, path: string): Result<Pinned, string> {
  const target = files.findAny(path, 0);
  if (!target.ok) return target;
  return ok({ path, target: target.value, touch: { effect: "write", path, real: target.value.real } });
}
