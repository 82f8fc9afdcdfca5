import { relative, resolve } from "node:path";
import { openUndo, sessionsFolder, type Undo, type UndoTurn, undoForFaces } from "@pith/coder";
import { fail, ok, plainText, type Result } from "@pith/kit";
import { workDirectory } from "../../argv/directory.ts";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../../io/io.ts";
import { settingsIn } from "../../open/setting.ts";
import type { Command } from "../command.ts";

export const options = {
  turn: { takes: "count", as: "n", about: "this turn, numbered as pith changes lists them" },
  to: { takes: "count", as: "n", about: "this turn and all after it" },
  before: { takes: "text", as: "entry", about: "the turn that this message of the session began, and all after it" },
  file: { takes: "texts", as: "path", about: "only this file or directory; may be repeated" },
  hunk: { takes: "count", as: "n", about: "only this hunk of the file" },
  json: { takes: "nothing", about: "what was done as JSON" },
  cwd: { takes: "text", as: "dir", about: "work in this directory" },
} as const satisfies FlagTable;

/** `pith undo`: takes back what the last turn did to the work tree. */
export const undo: Command = (argv, io) => move("undo", argv, io);

/** `pith redo`: puts back what was taken back last. */
export const redo: Command = (argv, io) => move("redo", argv, io);

async function move(way: "undo" | "redo", argv: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  if (words.length + plain.length > 0)
    return usage(io, `pith ${way} takes options only; to send this as a prompt: pith -- ${way} …`);
  const opened = await openProject(flags.cwd, io);
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
  if (flags.hunk !== undefined)
    return undoOneHunk(io, past, { turn: turns.value[0] as UndoTurn, file: files, n: flags.hunk });
  let left = 0;
  for (const turn of turns.value) {
    const moved = past.move(way, turn, files ?? last);
    left += moved.left.length;
    if (files && moved.restored.length + moved.left.length === 0) {
      const asked = JSON.stringify(turn.asked.slice(0, 60));
      complain(io, `there is nothing to ${way} at ${flags.file?.join(", ")} in the turn ${asked}`);
      left++;
      continue;
    }
    io.out.write(
      flags.json
        ? jsonLine(
            { turn: turn.id, session: turn.session, asked: turn.asked, restored: moved.restored, left: moved.left },
            io,
          )
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
  if (!done.ok) {
    complain(io, done.message);
    return exit.unfinished;
  }
  io.out.write(`Took back hunk ${n} of ${plainText(path)}.\n`);
  return exit.finished;
}

const nextOf = (past: Undo, way: "undo" | "redo"): UndoTurn[] => {
  const next = past.next(way);
  return next ? [next] : [];
};

interface Which {
  turn?: number | undefined;
  to?: number | undefined;
  before?: string | undefined;
}

/** The turns that are meant, in the order in which they are moved. */
function chosen(way: "undo" | "redo", turns: readonly UndoTurn[], flags: Which): Result<UndoTurn[], "usage"> {
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

export interface Project {
  cwd: string;
  past: Undo;
  text: Awaited<ReturnType<typeof undoForFaces>>;
}

/** The imprints of the project one stands in. */
export async function openProject(dir: string | undefined, io: Io): Promise<Result<Project, "usage">> {
  const directory = workDirectory(dir, io.cwd);
  if (!directory.ok) return directory;
  const settings = await settingsIn(io, { cwd: directory.value });
  if (!settings.ok) return fail("usage", settings.message);
  const { home, userHome, env } = io;
  const sessions = sessionsFolder(settings.value, io);
  const sources = { cwd: directory.value, home, userHome, env, settings: settings.value, sessions };
  const past = await openUndo(sources, io.clock);
  return ok({ cwd: directory.value, past, text: await undoForFaces() });
}
