import { resolve } from "node:path";
import { openSettings } from "@pith/coder";
import { messageOf } from "@pith/kit";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exported, exportForms, isSame, writeAll } from "../../export/write.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, usage } from "../../io/io.ts";
import { readSession, sessionDir } from "../../open/folder.ts";
import type { Command } from "../command.ts";

export const options = {
  html: { takes: "nothing", about: "one page with everything in it" },
  md: { takes: "nothing", about: "Markdown of the path to the leaf" },
  json: { takes: "nothing", about: "one JSON document of the whole tree" },
  jsonl: { takes: "nothing", about: "a session file of version 3" },
  inline: { takes: "nothing", about: "jsonl: with the images in it" },
  out: { takes: "text", as: "file", about: "write there instead of to stdout" },
  "session-dir": sessionDir,
} as const satisfies FlagTable;

/** `pith export <session>`: a session as a page, as text or as data. */
export const exportCommand: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  const chosen = exportForms.filter((form) => flags[form]);
  const [word, ...more] = [...words, ...plain];
  const [form, second] = chosen;
  if (word === undefined || more.length > 0 || !form || second)
    return usage(io, "usage: pith export <session> --html|--md|--json|--jsonl [--inline] [--out <file>]");
  if (flags.inline && form !== "jsonl")
    return usage(io, "--inline goes with --jsonl; the other forms always hold the images");
  const session = await readSession(io, word, flags["session-dir"]);
  if (!session.ok) return usage(io, session.message);
  const settings = form === "html" ? await openSettings({ cwd: io.cwd, home: io.home }) : undefined;
  const needs = { io, settings: settings?.ok ? settings.value : undefined };
  const pieces = await exported(session.value.journal, form, flags.inline === true, needs);
  if (flags.out === undefined) {
    for (const piece of pieces) {
      io.out.write(piece);
      await io.out.flush();
      if (io.out.fault) break;
    }
    return exit.finished;
  }
  const target = resolve(io.cwd, flags.out);
  if (isSame(target, session.value.file)) return usage(io, "--out names the session itself");
  try {
    writeAll(target, pieces);
    return exit.finished;
  } catch (error) {
    complain(io, `the export could not be written: ${messageOf(error)}`);
    return exit.unfinished;
  }
};
