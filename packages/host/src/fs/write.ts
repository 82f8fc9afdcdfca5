import { fail, ok, type Result } from "@pith/kit";
import type { FsKind } from "./failure.ts";
import { type Applied, applySteps } from "./replace.ts";
import { type AnyTarget, findAny } from "./target.ts";

export interface Written extends Applied {
  change: "created" | "replaced";
}

/** Writes a whole file, over whatever stands there; missing parent directories are made. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<Result<Written, FsKind>> {
  const target = findAny(path);
  return target.ok ? writeTo(target.value, bytes) : target;
}

/** The same for a target that was found before, if it is still what it was. */
export async function writeTo(
  target: AnyTarget,
  bytes: Uint8Array,
  executable = false,
): Promise<Result<Written, FsKind>> {
  const done = await applySteps([{ do: "write", target, bytes, executable }]);
  return done.ok
    ? ok({ change: target.is === "missing" ? "created" : "replaced", ...done.applied[0] })
    : fail(done.refused.kind, done.refused.message);
}
