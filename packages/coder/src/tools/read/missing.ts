import { isAbsolute, join } from "node:path";
import { isRemote, listFiles } from "@pith/host";
import { isInside, showPath } from "@pith/kit";
import type { ReadParts } from "./parts.ts";
import type { FileTarget } from "./target.ts";

const timeoutMs = 5000;

/** The one file of the project whose path ends like this; undefined when there is none, or more than one. */
export async function findBySuffix(parts: ReadParts, { path, given }: FileTarget, signal: AbortSignal): Promise<string | undefined> {
  if (!isInside(parts.cwd, path) || path === parts.cwd || isRemote(parts.cwd)) return undefined;
  const suffix = isAbsolute(given) ? showPath(parts.cwd, path) : given.replace(/^(?:\.?\/)+/, "");
  if (suffix === "" || suffix.split("/").includes("..")) return undefined;
  const rg = await parts.rg();
  if (!rg.ok) return undefined;
  const listed = await listFiles({ rg: rg.value, root: parts.cwd, pattern: `**/${suffix.replace(/[*?[\]{}!\\]/g, "\\$&")}`, max: 2, timeoutMs, signal });
  const [only, other] = listed.ok && listed.value.end === "complete" ? listed.value.paths : [];
  return only !== undefined && other === undefined ? join(parts.cwd, only) : undefined;
}
