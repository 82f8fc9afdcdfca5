import { basename, dirname, join } from "node:path";
import type { Effect, Intent, Touch } from "@pith/agent";
import { isGitDirectory, isLinkedTree, isThere } from "@pith/host";
import { isInside, late, realPath } from "@pith/kit";
import type { Ruling } from "./rule/ruling.ts";

const guarded = late(() => {
  const { guarded }: typeof import("../judge/guarded.ts") = require("../judge/guarded.ts");
  return guarded;
});

/** Approval modes: how much runs without a question. */
export const approvals = ["ask", "write", "auto", "yolo", "plan"] as const;
export type Approval = (typeof approvals)[number];

/** The same in words. */
export const meanings: Record<Approval, string> = {
  ask: "reads the project without asking; every command and every change asks.",
  write: "reads and changes files of the project without asking, and runs commands that only read; others ask.",
  auto: "runs what is not known to do harm without asking; risky actions ask.",
  yolo: "runs everything without asking, except what asks in every mode.",
  plan: "changes nothing: commands only read, or what they write is thrown away.",
};

export type ProjectSide = "inside" | "outside";

/**
 * The ruling of each mode on an effect inside and outside of the project, as a table that can be read, tested and
 * explained.
 */
const rules: Record<Approval, Record<Effect, Record<ProjectSide, Ruling>>> = {
  ask: { read: { inside: "allow", outside: "ask" }, write: all("ask"), exec: all("ask"), net: all("ask") },
  write: {
    read: { inside: "allow", outside: "ask" },
    write: { inside: "allow", outside: "ask" },
    exec: all("ask"),
    net: all("ask"),
  },
  auto: {
    read: { inside: "allow", outside: "ask" },
    write: { inside: "allow", outside: "ask" },
    exec: { inside: "allow", outside: "ask" },
    net: all("ask"),
  },
  yolo: { read: all("allow"), write: all("allow"), exec: all("allow"), net: all("allow") },
  plan: { read: { inside: "allow", outside: "ask" }, write: all("deny"), exec: all("deny"), net: all("deny") },
};

function all(ruling: Ruling): Record<ProjectSide, Ruling> {
  return { inside: ruling, outside: ruling };
}

export const modeRuling = (mode: Approval, effect: Effect, side: ProjectSide): Ruling => rules[mode][effect][side];

/** Folders of which everything may be touched without leaving the project; all are real paths. */
export interface Inside {
  /** To read and to write, but for what lies in `home`. */
  project: readonly string[];
  /** pith's own files, which are never the project's: they say what runs, and hold keys and other conversations. */
  home: string;
  /** Files that pith keeps for the model, to which internal addresses lead: to read only. */
  kept: readonly string[];
  /** Directories where the model may keep something itself. */
  scratch: readonly string[];
  /** Files elsewhere that the person named: they may be read, and are nobody's own. */
  named?: readonly string[] | undefined;
}

export interface InsideOptions {
  cwd: string;
  /** Other folders of the project. */
  roots: readonly string[];
  /** The directory of pith's own files. */
  home: string;
  /** The folder beside the record. */
  folder: string | undefined;
}

/** The folders of a conversation. A session may be a stranger's: what is a link beside its record leads nowhere. */
export function insideOf({ cwd, roots, home, folder }: InsideOptions): Inside {
  const own = (path: string): string[] => {
    const real = realPath(path);
    return real === join(realPath(dirname(path)), basename(path)) ? [real] : [];
  };
  const session = folder === undefined ? [] : own(folder);
  return {
    project: [cwd, ...roots].map((root) => realPath(root)),
    home: realPath(home),
    kept: [...["skills", "rules"].map((name) => realPath(join(home, name))), ...own(join(home, "memory")), ...session],
    scratch: session.flatMap((real) => own(join(real, "local"))),
  };
}

/** True when a mode lets a path be looked at without a question; places of keys never are. */
export function mayLook(mode: Approval, inside: Inside, userHome: string, real: string): boolean {
  const side = sideOf({ effect: "read", paths: [{ effect: "read", path: real, real }] }, inside);
  const homes = { home: userHome, pithHome: inside.home, kept: [...inside.kept, ...inside.scratch], scratch: [] };
  return modeRuling(mode, "read", side) === "allow" && guarded({ kind: side, path: real }, "read", homes) === undefined;
}

/**
 * Inside means: every path really lies in one of the folders, and not among pith's own. What touches no path is inside,
 * unless it writes or runs something: what does not say where is outside.
 */
export function sideOf({ effect, paths }: Pick<Intent, "effect" | "paths">, inside: Inside): ProjectSide {
  if ((effect === "write" || effect === "exec") && paths.length === 0) return "outside";
  const holds = (folders: readonly string[], path: string) => folders.some((folder) => isInside(folder, path));
  const isIn = (touch: Touch) =>
    (holds(inside.project, touch.real) && !isInside(inside.home, touch.real)) ||
    (touch.effect === "read" && holds([...inside.kept, ...(inside.named ?? [])], touch.real)) ||
    (touch.effect !== "exec" && holds(inside.scratch, touch.real));
  return paths.every(isIn) ? "inside" : "outside";
}

/** True when a place is the project's own. */
export const isOwn = (real: string, inside: Inside): boolean =>
  sideOf({ effect: "write", paths: [{ effect: "exec", path: real, real }] }, inside) === "inside";

/**
 * Gives the effect that a call is ruled by: git runs what files of a repository's own directory name, so writing one of
 * those counts as running something.
 */
export function effectOf({ effect, paths }: Pick<Intent, "effect" | "paths">): Effect {
  const written = paths.filter((touch) => touch.effect === "write");
  const clear = new Set<string>();
  return effect === "write" && written.some((touch) => isGits(touch, written, clear)) ? "exec" : effect;
}

const gitName = /(?:^|[\\/])(?:\.git|git~1)(?:[\\/]|$)/i;

/**
 * Below `.git`, or below a directory that is one by what it holds, or will be with what this call writes. `clear` are
 * those that were found to be nothing of the kind.
 */
function isGits({ path, real }: Touch, written: readonly Touch[], clear: Set<string>): boolean {
  if (gitName.test(path) || gitName.test(real)) return true;
  const exists = (file: string) => isThere(file) || written.some((touch) => isInside(file, touch.real));
  for (let at = real; ; at = dirname(at)) {
    if (clear.has(at)) return false;
    if (isGitDirectory(at, exists)) return true;
    clear.add(at);
    // A work tree of its own, though it may lie in the directory of a bare repository. Anybody can write a `.git`.
    if (isLinkedTree(at) || dirname(at) === at) return false;
  }
}
