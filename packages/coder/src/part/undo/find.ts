import { relative, resolve } from "node:path";
import { expandHome, fail, isInside, ok, plural, type Result } from "@pith/kit";
import type { UndoTurn } from "./store/log.ts";
import { openPaths } from "./store/move.ts";
import type { Undo } from "./store/undo.ts";

interface Naming {
  cwd: string;
  userHome: string;
  sessions: ReadonlySet<string>;
}

/**
 * Finds the newest turn that changed a file or directory and was not taken back. The name counts from the working
 * directory or from the project, and may have the `@` of completion.
 */
export function findChange(
  undo: Undo,
  words: string,
  naming: Naming,
): Result<{ turn: UndoTurn; file: string }, "unknown"> {
  const bare = words.replace(/^@(?=.)/, "").replace(/^(["'])(.*)\1$/, "$2");
  for (const name of new Set([words, bare]))
    for (const from of [naming.cwd, undo.root]) {
      const file = resolve(from, expandHome(name, naming.userHome));
      const turn = undo.next("undo", naming.sessions, [file]);
      if (turn) return ok({ turn, file });
    }
  const all = changedFiles(undo, naming);
  const more = all.length > most ? ` and ${plural(all.length - most, "other")}` : "";
  const there = all.length > 0 ? `Changed and still there: ${all.slice(0, most).join(", ")}${more}.` : "";
  return fail("unknown", `This session has no change of ${words} to take back or keep. ${there}`.trim());
}

const most = 10;

/** Files that can be taken back or accepted, newest turn first, named from the working directory. */
export function changedFiles(undo: Undo, { cwd, sessions }: Naming): string[] {
  const turns = undo.turns().filter(({ session, state }) => sessions.has(session) && state === "done");
  const paths = turns.toReversed().flatMap((turn) => openPaths(undo, turn, () => true));
  return [...new Set(paths)].map((path) => {
    const file = resolve(undo.root, path);
    return isInside(cwd, file) ? relative(cwd, file) : file;
  });
}
