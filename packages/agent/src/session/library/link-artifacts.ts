import { linkSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { succeeds } from "@pith/kit";
import { artifactsOf, copyPlain, isPlain } from "./files.ts";

/** True for files of cut outputs, which are only appended to. */
const isOutput = (name: string): boolean => /^\d+\..*\.log$/.test(name);

/**
 * Brings a session's files to the one that continues it. Outputs are hard links, so that both see what a running job
 * still writes; the rest is copied. Throws on failure.
 */
export function linkArtifacts(from: string, to: string): void {
  const [old, fresh] = [artifactsOf(from), artifactsOf(to)];
  if (!isPlain(old, "isDirectory")) return;
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(old)) {
    const [source, target] = [join(old, name), join(fresh, name)];
    const isLinked = isOutput(name) && isPlain(source, "isFile") && succeeds(() => linkSync(source, target));
    if (!isLinked) copyPlain(source, target);
  }
}
