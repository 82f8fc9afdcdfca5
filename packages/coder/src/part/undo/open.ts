import type { Env } from "@pith/host";
import { type Clock, realPath } from "@pith/kit";
import { repositoryRoot } from "../../setting/repository.ts";
import type { Settings } from "../../setting/setting.ts";
import { mega } from "../../setting/spec.ts";
import type { Undo } from "./store/undo.ts";

export interface OpenUndo {
  cwd: string;
  home: string;
  userHome: string;
  env: Env;
  settings: Settings;
  /** The folder of all sessions. */
  sessions: string;
}

/** The imprints of the project that holds the working directory; loaded when they are first needed. */
export async function openUndo(
  { cwd, home, userHome, env, settings, sessions }: OpenUndo,
  clock: Clock,
): Promise<Undo> {
  const { Undo } = await import("./store/undo.ts");
  const root = realPath(repositoryRoot(cwd) ?? cwd);
  // A home directory is no project, and reading all of it would take for ever.
  const isProject = root !== realPath(userHome) && root !== "/";
  return new Undo({
    root,
    home,
    env,
    limits: {
      maxFile: settings.get("undo.maxFileMB") * mega,
      maxIgnored: settings.get("undo.maxIgnoredKB") * 1024,
      maxEntries: 200_000,
      maxBytes: settings.get("undo.maxStoreMB") * mega,
    },
    cover: isProject ? settings.get("undo.cover") : "own writes",
    now: () => clock.now(),
    skip: [home, sessions],
    keep: { ageMs: settings.get("undo.keepDays") * 24 * 3_600_000, bytes: settings.get("undo.maxStoreMB") * mega },
  });
}

/** What a face needs to show and move turns, loaded when it does. */
export async function undoForFaces() {
  const [{ changesOf, movedText, totalOf, turnsText }, { undoHunk }] = await Promise.all([
    import("./text.ts"),
    import("./hunk.ts"),
  ]);
  return { changesOf, movedText, totalOf, turnsText, undoHunk };
}
