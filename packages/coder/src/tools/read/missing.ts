import { isAbsolute, join } from "node:path";
import { isRemote, listFiles } from "@pith/host";
import { isInside, showPath } from "@pith/kit";
import { resolvePath, statOf } from "../../files/path.ts";
import type { Inside } from "../container.ts";
import type { ReadParts } from "./parts.ts";
import type { FileTarget } from "./target.ts";

const timeoutMs = 5000;

/** The same for a path that leads into an archive or a database. */
export async function containerBySuffix(
  parts: ReadParts,
  given: string,
  signal: AbortSignal,
): Promise<Inside | undefined> {
  const [, name, rest] = /^(.+?\.(?:tar\.gz|tgz|tar|zip|sqlite3?|db3?))([:?].*)$/is.exec(given) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const path = resolvePath(parts, name);
  const found = statOf(path) ? undefined : await findBySuffix(parts, { path, given: name }, signal);
  return found === undefined ? undefined : { path: found, given: name, rest };
}

/** The one file of the project whose path ends like this; undefined when there is none, or more than one. */
export async function findBySuffix(
  parts: ReadParts,
  { path, given }: Pick<FileTarget, "path" | "given">,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!isInside(parts.cwd, path) || path === parts.cwd || isRemote(parts.cwd)) return undefined;
  const suffix = isAbsolute(given) ? showPath(parts.cwd, path) : given.replace(/^(?:\.?\/)+/, "");
  if (suffix === "" || suffix.split("/").includes("..")) return undefined;
  const rg = await parts.rg();
  if (!rg.ok) return undefined;
  const listed = await listFiles({
    rg: rg.value,
    root: parts.cwd,
    glob: `**/${suffix.replace(/[*?[\]{}!\\]/g, "\\$&")}`,
    max: 2,
    timeoutMs,
    signal,
  });
  const [only, other] = listed.ok && listed.value.end === "complete" ? listed.value.paths : [];
  return only !== undefined && other === undefined ? join(parts.cwd, only) : undefined;
}

export const resolvedNote = ({ cwd }: ReadParts, given: string, path: string): string =>
  `[Path '${given}' not found; resolved to '${showPath(cwd, path)}' via suffix match]`;
