import { isInside } from "@pith/kit";
import type { SandboxPlan } from "./plan/plan.ts";

/**
 * Finds what the sandbox kept a command from doing. The command's own words say which path it was; the plan says if the
 * sandbox was the reason. `net` says whether it is known what became of the network.
 */
export function blockedIn(output: string, plan: SandboxPlan, net: "known" | "unknown"): string[] {
  const found = new Set<string>();
  for (const line of output.split("\n", mostLines)) {
    const how = readOnly.test(line) ? "read-only" : refused.test(line) ? "refused" : undefined;
    if (how)
      for (const path of pathsIn(line)) {
        const why = whyNot(path, plan, how);
        if (why !== undefined) found.add(`${path} ${why}`);
      }
    if (net === "unknown" && refusedNet.test(line)) found.add("the network; only allowed hosts can be reached");
  }
  return [...found].slice(0, most);
}

const readOnly = /read-only file system|\bEROFS\b/i;
const refused =
  /permission denied|operation not permitted|device or resource busy|no such file or directory|\bE(?:ACCES|PERM|BUSY|NOENT)\b/i;
const refusedNet =
  /could not resolve|couldn't resolve|name resolution|\bE(?:AI_AGAIN|NOTFOUND|NETUNREACH)\b|network is unreachable|getaddrinfo|no route to host|unable to resolve|dns error|failed to lookup address/i;

function whyNot(path: string, plan: SandboxPlan, how: "read-only" | "refused"): string | undefined {
  if ([...plan.readOnly, ...plan.replaced.map((one) => one.path)].some((sealed) => isInside(sealed, path)))
    return "is protected";
  if (plan.pinned.includes(path)) return "holds something that is protected, and cannot be moved";
  if (plan.hidden.some((hidden) => isInside(hidden.path, path))) return "is hidden";
  if (how === "refused") return undefined;
  // A project below `/tmp` is brought along.
  if (plan.readable.some((folder) => isInside(folder, path))) return "is only to be read here";
  const inside = [...plan.writable, ...plan.layered, plan.tmp, "/tmp", "/var/tmp", "/dev", "/proc"];
  return inside.some((folder) => isInside(folder, path)) ? undefined : "lies outside of what may be written";
}

const pathsIn = (line: string): string[] =>
  [...line.matchAll(/(?<![\w/.])(\/[^\s:'"`’,;()<>|]+)/g)].flatMap(([, path]) => (path === undefined ? [] : [path]));

const mostLines = 2000;
const most = 10;
