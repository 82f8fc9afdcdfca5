import { relative, resolve } from "node:path";
import { openUndo, sessionsFolder, type Undo, type UndoTurn, undoForFaces } from "@pith/coder";
import { fail, ok, plainText, type Result } from "@pith/kit";
import { launchFlags } from "../../argv/flag.ts";
import type { Flags, FlagTable } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, unfinished, usage } from "../../io/io.ts";
import { openProject } from "../../open/project.ts";
import { type Subcommand, subcommand } from "../subcommand.ts";

const options = {
  turn: { takes: "count", as: "n", about: "this turn, numbered as pith changes lists them" },
  to: { takes: "count", as: "n", about: "this turn and all after it" },
  before: { takes: "text", as: "entry", about: "the turn that this message of the session began, and all after it" },
  file: { takes: "texts", as: "path", about: "only this file or directory; may be repeated" },
  hunk: { takes: "count", as: "n", about: "only this hunk of the file" },
  force: { takes: "nothing", about: "also undo what was changed since; redo restores it" },
  json: { takes: "nothing", about: "what was done as JSON" },
  cwd: launchFlags.cwd,
} as const satisfies FlagTable;

/** Takes back what the last turn did to the work tree. */
export const undo = mover("undo", "undo what a turn changed");

/** Puts back what was taken back last. */
export const redo = mover("redo", "redo what was undone last");

function mover(way: Way, about: string): Subcommand {
  return subcommand({
    usage: "",
    about,
    help: "undo",
    options,
    run: ({ flags, words }, io) =>
      words.length > 0
        ? usage(io, `pith ${way} takes options only; to send this as a prompt: pith -- ${way} …`)
        : move(way, flags, io),
  });
}

type Way = "undo" | "redo";
type UndoFlags = Flags<typeof options>;

async function move(way: Way, flags: UndoFlags, io: Io): Promise<number> {
  const opened = await openUndoIn(flags.cwd, io);
  if (!opened.ok) return usage(io, opened.message);
  const { past, text } = opened.value;
  const last = (flags.turn ?? flags.to ?? flags.before) === undefined ? "last" : undefined;
  const turns = last ? ok(nextOf(past, way)) : chosen(way, past.turns(), flags);
  if (!turns.ok) return usage(io, turns.message);
  if (turns.value.length === 0) {
    io.out.write(flags.json ? jsonLine({ restored: [], left: [] }, io) : `There is nothing to ${way}.\n`);
    return exit.finished;
  }
  const files = flags.file?.map((path) => resolve(opened.value.cwd, path));
  if (flags.hunk !== undefined && flags.force) return usage(io, "--force is for whole files, not for a --hunk");
  if (flags.hunk !== undefined)
    return undoOneHunk(io, past, { turn: turns.value[0] as UndoTurn, file: files, n: flags.hunk });
  let left = 0;
  for (const turn of turns.value) {
    const moved = past.move(way, turn, files ?? last, flags.force ? "forced" : "careful");
    left += moved.left.length;
    if (files && moved.restored.length + moved.left.length === 0) {
      const asked = JSON.stringify(turn.asked.slice(0, 60));
      complain(io, `there is nothing to ${way} at ${flags.file?.join(", ")} in the turn ${asked}`);
      left++;
      continue;
    }
    const { id, session, asked } = turn;
    const { restored, left: stays } = moved;
    io.out.write(
      flags.json
        ? jsonLine({ turn: id, session, asked, restored, left: stays }, io)
        : `${plainText(text.movedText(way, moved, "named"))}\n`,
    );
  }
  return left > 0 ? exit.unfinished : exit.finished;
}

async function undoOneHunk(
  io: Io,
  past: Undo,
  { turn, file, n }: { turn: UndoTurn; file: string[] | undefined; n: number },
): Promise<number> {
  if (file?.length !== 1) return usage(io, "--hunk needs the one --file it is in");
  const path = relative(past.root, file[0] ?? "");
  const { undoHunk } = await undoForFaces();
  const done = await undoHunk(past, turn, path.startsWith("..") ? (file[0] ?? "") : path, n);
  if (!done.ok) return unfinished(io, done.message);
  io.out.write(`Undid hunk ${n} of ${plainText(path)}.\n`);
  return exit.finished;
}

const nextOf = (past: Undo, way: Way): UndoTurn[] => {
  const next = past.next(way);
  return next ? [next] : [];
};

/** The turns that the flags choose, in the order in which they are moved. */
function chosen(way: Way, turns: readonly UndoTurn[], flags: UndoFlags): Result<UndoTurn[], "usage"> {
  const newest = turns.toReversed();
  const message = flags.before === undefined ? undefined : newest.findIndex((turn) => turn.at === flags.before) + 1;
  if (message === 0) return fail("usage", `no turn that changed something began with the entry ${flags.before}`);
  const n = flags.turn ?? flags.to ?? message ?? 1;
  const turn = newest[n - 1];
  if (!turn) return fail("usage", `there is no turn ${n}; pith changes lists them`);
  return ok(
    flags.turn !== undefined
      ? [turn]
      : newest.slice(0, n).filter((turn) => turn.state === (way === "undo" ? "done" : "undone")),
  );
}

export interface UndoProject {
  cwd: string;
  past: Undo;
  text: Awaited<ReturnType<typeof undoForFaces>>;
}

/** Opens the imprints of a project. */
export async function openUndoIn(dir: string | undefined, io: Io): Promise<Result<UndoProject, string>> {
  const project = await openProject({}, io, { cwd: dir });
  if (!project.ok) return project;
  const { cwd, settings } = project.value;
  const { home, userHome, env } = io;
  const past = await openUndo({ cwd, home, userHome, env, settings, sessions: sessionsFolder(settings, io) }, io.clock);
  return ok({ cwd, past, text: await undoForFaces() });
}
