import { relative, resolve } from "node:path";
import { expandHome, fail, isInside, ok, plural, type Result } from "@pith/kit";
import type { UndoTurn } from "./store/log.ts";
import { standing } from "./store/next.ts";
import type { Undo } from "./store/undo.ts";

/** From where a person names files. */
export interface Naming {
  cwd: string;
  userHome: string;
  sessions: ReadonlySet<string>;
}

/** A file or directory as it was typed, and the newest turn that changed it and stands. */
export interface Named {
  turn: UndoTurn;
  file: string;
}

/** Files may be named from where one is, from the project as lists show them, and with the `@` of completion. */
export function namedChange(undo: Undo, words: string, naming: Naming): Result<Named, "unknown"> {
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
  return fail("unknown", `No turn of this session has changed ${words} and left it to decide about. ${there}`.trim());
}

const most = 10;

/** What can be decided about, the newest turn first, named from where one is. */
export function changedFiles(undo: Undo, { cwd, sessions }: Naming): string[] {
  const turns = undo.turns().filter(({ session, state }) => sessions.has(session) && state === "done");
  const paths = turns.toReversed().flatMap((turn) => standing(undo, turn, () => true));
  return [...new Set(paths)].map((path) => {
    const file = resolve(undo.root, path);
    return isInside(cwd, file) ? relative(cwd, file) : file;
  });
}
