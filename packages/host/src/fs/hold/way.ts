import { existsSync } from "node:fs";
import { messageOf } from "@pith/kit";
import { isBun } from "../../platform.ts";
import type { Way, WayName } from "./held.ts";
import { proc } from "./proc.ts";

const wayNames: readonly WayName[] = ["proc", "at", "path"];

let wanted: WayName | undefined;
let chosen: { way: Way; why: string | undefined } | undefined;

/** Chooses the way by hand, for this process; answers with what is wrong with the name. */
export function chooseWay(name: string): string | undefined {
  const way = wayNames.find((one) => one === name);
  if (!way) return `PITH_FS is ${wayNames.join(", ")}, not ${JSON.stringify(name)}`;
  if (way !== wanted) chosen = undefined;
  wanted = way;
  return undefined;
}

/** The way by which folders are held here, found with the first one; with a reason where a better one cannot be had. */
export function wayHere(): { way: Way; why: string | undefined } {
  chosen ??= firstOf(wanted ? [wanted, ...order] : order);
  return chosen;
}

/** The fastest first. */
const order: readonly WayName[] = ["at", "proc", "path"];

/** The way to open what is only read: one that loads nothing, until something is written. */
export const wayToRead = (): Way => (chosen || wanted ? wayHere().way : wayForOthers());

/** The way to hold what another process is to reach: one that can name it, where it is. */
export const wayForOthers = (): Way => (wanted || !procLeads() ? wayHere().way : proc);

let hasHandles: boolean | undefined;
/** True where names can be reached through handles, which does not change while we run. */
function procLeads(): boolean {
  hasHandles ??= existsSync("/proc/self/fd");
  return hasHandles;
}

/** The first of the ways that can be opened, with the reasons of those before it. @internal */
export function firstOf(names: readonly WayName[], open = opened): { way: Way; why: string | undefined } {
  const reasons: string[] = [];
  for (const name of names) {
    const way = open(name);
    if (typeof way !== "string") return { way, why: reasons.length > 0 ? reasons.join("; ") : undefined };
    reasons.push(`${name}: ${way}`);
  }
  return { way: byPaths(), why: reasons.join("; ") };
}

/** A way; or why there is none. */
function opened(name: WayName): Way | string {
  if (name === "path") return byPaths();
  if (name === "proc") return procLeads() ? proc : "there is no /proc/self/fd";
  if (!isBun) return "Node cannot call the C library";
  try {
    const { openAt }: typeof import("./at.ts") = require("./at.ts");
    return openAt();
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** The last resort, loaded where it is needed. */
function byPaths(): Way {
  const { path }: typeof import("./path.ts") = require("./path.ts");
  return path;
}
