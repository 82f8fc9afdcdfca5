import { type Clock, realPath } from "@pith/kit";
import type { HouseOptions } from "../../hall/house.ts";
import type { MakePart } from "../../hall/part.ts";
import { repositoryRoot } from "../../setting/repository.ts";
import { mega } from "../../setting/spec.ts";
import type { Undo } from "./store/undo.ts";

declare module "../../hall/hall.ts" {
  interface House {
    /** Earlier states of the project; opened on first use. */
    undo(): Promise<Undo>;
  }
}

interface OpenUndo extends Pick<HouseOptions, "cwd" | "home" | "userHome" | "env" | "settings"> {
  /** The directory of all sessions. */
  sessions: string;
}

/** Opens the store of the project that holds the working directory. */
export async function openUndo(
  { cwd, home, userHome, env, settings, sessions }: OpenUndo,
  clock: Clock,
): Promise<Undo> {
  const { Undo } = await import("./store/undo.ts");
  const root = realPath(repositoryRoot(cwd) ?? cwd);
  // A home directory is no project, and too large to read.
  const isProject = root !== realPath(userHome) && root !== "/";
  return new Undo({
    root,
    home,
    env,
    limits: {
      maxFile: settings.get("undo.maxFileMB") * mega,
      maxIgnored: settings.get("undo.maxIgnoredKB") * 1024,
      maxEntries: 400_000,
      maxBytes: settings.get("undo.maxStoreMB") * mega,
    },
    cover: isProject ? settings.get("undo.cover") : "own writes",
    now: () => clock.now(),
    skip: [home, sessions],
    keep: { ageMs: settings.get("undo.keepDays") * 24 * 3_600_000, bytes: settings.get("undo.maxStoreMB") * mega },
  });
}

export const undoStore: MakePart<"launch" | "sessions" | "clock", "undo"> = ({ launch, sessions, clock }) => {
  let undo: Promise<Undo> | undefined;
  return {
    name: "undo store",
    owns: { undo: () => (undo ??= openUndo({ ...launch, sessions }, clock)) },
    // A failure to open was reported when it was needed.
    [Symbol.asyncDispose]: async () => (await undo?.catch(() => undefined))?.close(),
  };
};

/** Loads what an interface needs to show and move turns. */
export async function undoForFaces() {
  const { changesOf, movedText, totalOf, turnsText } = await import("./text.ts");
  const { undoHunk } = await import("./hunk.ts");
  return { changesOf, movedText, totalOf, turnsText, undoHunk };
}
