import { relative, resolve } from "node:path";
import { openSettings, openUndo, type Undo, type UndoTurn, undoParts } from "@pith/coder";
import { fail, ok, plainText, type Result } from "@pith/kit";
import { type FlagTable, parseArguments } from "../argv/parse.ts";
import { workPlace } from "../argv/place.ts";
import { exit } from "../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../io/io.ts";
import type { Command } from "./command.ts";

const flags = {
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
  const parsed = parseArguments(flags, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags: given, words, plain } = parsed.value;
  if (words.length + plain.length > 0)
    return usage(io, `pith ${way} takes options only; to send this as a prompt: pith -- ${way} …`);
  const opened = await openProject(given.cwd, io);
  if (!opened.ok) return usage(io, opened.message);
  const { own, text } = opened.value;
  const next = own.next(way);
  const turns = (given.turn ?? given.to ?? given.before) ? chosen(way, own.turns(), given) : ok(next ? [next] : []);
  if (!turns.ok) return usage(io, turns.message);
  if (turns.value.length === 0) {
    io.out.write(given.json ? jsonLine({ restored: [], left: [] }, io) : `There is nothing to ${way}.\n`);
    return exit.finished;
  }
  const files = given.file?.map((path) => resolve(opened.value.cwd, path));
  if (given.hunk !== undefined)
    return undoOneHunk(io, own, { turn: turns.value[0] as UndoTurn, file: files, n: given.hunk });
  let left = 0;
  for (const turn of turns.value) {
    const moved = own.move(way, turn, files);
    left += moved.left.length;
    if (files && moved.restored.length + moved.left.length === 0) {
      complain(
        io,
        `there is nothing to ${way} at ${given.file?.join(", ")} in the turn ${JSON.stringify(turn.asked.slice(0, 60))}`,
      );
      left++;
      continue;
    }
    io.out.write(
      given.json
        ? jsonLine({ turn: turn.id, asked: turn.asked, restored: moved.restored, left: moved.left }, io)
        : `${plainText(text.movedText(way, moved))}\n`,
    );
  }
  return left > 0 ? exit.unfinished : exit.finished;
}

async function undoOneHunk(
  io: Io,
  own: Undo,
  { turn, file, n }: { turn: UndoTurn; file: string[] | undefined; n: number },
): Promise<number> {
  if (file?.length !== 1) return usage(io, "--hunk needs the one --file it is in");
  const path = relative(own.root, file[0] ?? "");
  const { undoHunk } = await undoParts();
  const done = await undoHunk(own, turn, path.startsWith("..") ? (file[0] ?? "") : path, n);
  if (!done.ok) {
    complain(io, done.message);
    return exit.unfinished;
  }
  io.out.write(`Took back hunk ${n} of ${plainText(path)}.\n`);
  return exit.finished;
}

interface Which {
  turn?: number | undefined;
  to?: number | undefined;
  before?: string | undefined;
}

/** The turns that are meant, in the order in which they are moved. */
function chosen(way: "undo" | "redo", turns: readonly UndoTurn[], given: Which): Result<UndoTurn[], "usage"> {
  const newest = turns.toReversed();
  const message = given.before === undefined ? undefined : newest.findIndex((turn) => turn.at === given.before) + 1;
  if (message === 0) return fail("usage", `no turn that changed something began with the entry ${given.before}`);
  const n = given.turn ?? given.to ?? message ?? 1;
  const turn = newest[n - 1];
  if (!turn) return fail("usage", `there is no turn ${n}; pith changes lists them`);
  return ok(
    given.turn !== undefined
      ? [turn]
      : newest.slice(0, n).filter((own) => own.state === (way === "undo" ? "done" : "undone")),
  );
}

export interface Project {
  cwd: string;
  own: Undo;
  text: Awaited<ReturnType<typeof undoParts>>;
}

/** The checkpoints of the project one stands in. */
export async function openProject(dir: string | undefined, io: Io): Promise<Result<Project, "usage">> {
  const place = workPlace(dir, io.cwd);
  if (!place.ok) return place;
  const settings = await openSettings({ cwd: place.value, home: io.home });
  if (!settings.ok) return fail("usage", settings.message);
  const own = await openUndo(
    { cwd: place.value, home: io.home, userHome: io.userHome, env: io.env, settings: settings.value },
    io.clock,
  );
  return ok({ cwd: place.value, own, text: await undoParts() });
}
