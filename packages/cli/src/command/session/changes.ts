import { resolve } from "node:path";
import type { UndoTurn } from "@pith/coder";
import { plainText, plural } from "@pith/kit";
import { launchFlags } from "../../argv/flag.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../../io/io.ts";
import { inRows } from "../list.ts";
import { subcommand } from "../subcommand.ts";
import { openUndoIn, type UndoProject } from "./undo.ts";

/** Lists the turns that changed something; with a number, shows what one of them changed. */
export const changes = subcommand({
  usage: "[n]",
  about: "what turns changed in this project",
  help: "undo",
  options: {
    keep: { takes: "nothing", about: "keep this turn: undo skips it" },
    file: { takes: "texts", as: "path", about: "with --keep only this file or directory; may be repeated" },
    json: { takes: "nothing", about: "as JSON" },
    cwd: launchFlags.cwd,
  },
  maxWords: 1,
  async run({ flags, words: [word] }, io) {
    if (word !== undefined && !/^[1-9]\d*$/.test(word)) return "usage";
    if (flags.file && !flags.keep) return usage(io, "--file says what to keep, so --keep belongs to it");
    const opened = await openUndoIn(flags.cwd, io);
    if (!opened.ok) return usage(io, opened.message);
    const turns = opened.value.past.turns();
    if (word === undefined && !flags.keep) return list(opened.value, turns, flags.json ? "json" : "text", io);
    const turn = turns.toReversed()[Number(word ?? 1) - 1];
    if (!turn) return usage(io, `there is no turn ${word ?? 1}; pith changes lists them`);
    if (!flags.keep) return show(opened.value, turn, flags.json ? "json" : "text", io);
    return keep(opened.value, turn, flags.file, io);
  },
});

/** Keeps the whole turn, or the files that are named; a file that cannot be kept is told and stops no other. */
function keep({ past, cwd }: UndoProject, turn: UndoTurn, files: readonly string[] | undefined, io: Io): number {
  const asked = plainText(JSON.stringify(turn.asked));
  if (!files) {
    past.keep(turn);
    io.out.write(`Kept ${asked}.\n`);
    return exit.finished;
  }
  let failed = 0;
  for (const file of files) {
    const kept = past.keep(turn, [resolve(cwd, file)]);
    if (kept.length > 0) io.out.write(plainText(`Kept ${kept.join(", ")} of ${asked}.\n`));
    else complain(io, `there is nothing to keep at ${file} in the turn ${asked}: pith changes shows what it changed`);
    if (kept.length === 0) failed++;
  }
  return failed > 0 ? exit.unfinished : exit.finished;
}

function list({ past, text }: UndoProject, turns: readonly UndoTurn[], form: "json" | "text", io: Io): number {
  if (form === "json") {
    for (const turn of turns.toReversed()) {
      const { id, session, at, asked, time, state } = turn;
      const calls = turn.calls.map((call) => ({
        tool: call.tool,
        time: call.time,
        ...text.totalOf(text.changesOf(past, { calls: [call] })),
      }));
      const files = text.changesOf(past, turn);
      io.out.write(jsonLine({ turn: id, session, at, asked, time, state, ...text.totalOf(files), files, calls }, io));
    }
  } else {
    const rows = text.turnsText(past, turns).flatMap((row) => inRows(row, io, "", "     "));
    io.out.write(`${rows.join("\n") || "Nothing was changed here."}\n`);
  }
  return exit.finished;
}

function show({ past, text }: UndoProject, turn: UndoTurn, form: "json" | "text", io: Io): number {
  const files = text.changesOf(past, turn);
  if (form === "json") io.out.write(jsonLine(files, io));
  for (const file of form === "json" ? [] : files) {
    let hunk = 0;
    const patch = file.patch.replace(/^@@ .*$/gm, (row) => `${row} hunk ${++hunk}`);
    const count = hunk > 0 ? ` (${plural(hunk, "hunk")})` : "";
    const state = turn.kept.has(file.path) ? " (kept)" : turn.away.has(file.path) ? " (taken back)" : "";
    io.out.write(plainText(`${file.what} ${file.path} +${file.added} -${file.removed}${count}${state}\n${patch}`));
  }
  return exit.finished;
}
