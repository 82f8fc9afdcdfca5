import { linkSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { artifactsOf, copyPlain, isPlain } from "./files.ts";

/** An output that was cut: it is only ever written at its end, perhaps still. */
const isOutput = (name: string): boolean => /^\d+\..*\.log$/.test(name);

/**
 * What stands beside a session also beside the one that goes on from it. Outputs are the same files, so that what a
 * job still writes is found from both; the rest is copied. Throws when that cannot be done.
 */
export function linkArtifacts(from: string, to: string): void {
  const [old, fresh] = [artifactsOf(from), artifactsOf(to)];
  if (!isPlain(old, "isDirectory")) return;
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(old)) {
    const [source, target] = [join(old, name), join(fresh, name)];
    if (!(isOutput(name) && isPlain(source, "isFile") && linked(source, target))) copyPlain(source, target);
  }
}

function linked(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch {
    return false;
  }
}
