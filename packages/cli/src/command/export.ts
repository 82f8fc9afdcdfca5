import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Journal } from "@pith/agent";
import { openSettings } from "@pith/coder";
import { messageOf } from "@pith/kit";
import { type FlagTable, parseArguments } from "../argv/parse.ts";
import { exit } from "../io/interrupt.ts";
import { complain, type Io, usage } from "../io/io.ts";
import { readSession, sessionDir } from "../open/folder.ts";
import type { Command } from "./command.ts";

export const options = {
  html: { takes: "nothing", about: "one page with everything in it" },
  md: { takes: "nothing", about: "Markdown of the path to the leaf" },
  json: { takes: "nothing", about: "one JSON document of the whole tree" },
  jsonl: { takes: "nothing", about: "a session file of version 3" },
  inline: { takes: "nothing", about: "jsonl: with the images in it" },
  out: { takes: "text", as: "file", about: "write there instead of to stdout" },
  "session-dir": sessionDir,
} as const satisfies FlagTable;

type Form = "html" | "md" | "json" | "jsonl";
type Write = (journal: Journal, inline: boolean) => Generator<string>;

const forms: Record<Form, (io: Io) => Promise<Write>> = {
  html: htmlWriter,
  md: async () => (await import("../export/markdown.ts")).writeMarkdown,
  json: async () => (await import("../export/data.ts")).writeJson,
  jsonl: async () => (await import("../export/data.ts")).writeLines,
};

/** `pith export <session>`: a session as a page, as text or as data. */
export const exportCommand: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  const chosen = (Object.keys(forms) as Form[]).filter((form) => flags[form]);
  const [word, ...more] = [...words, ...plain];
  const [form, second] = chosen;
  if (word === undefined || more.length > 0 || !form || second)
    return usage(io, "usage: pith export <session> --html|--md|--json|--jsonl [--inline] [--out <file>]");
  if (flags.inline && form !== "jsonl")
    return usage(io, "--inline goes with --jsonl; the other forms always hold the images");
  const session = await readSession(io, word, flags["session-dir"]);
  if (!session.ok) return usage(io, session.message);
  const pieces = (await forms[form](io))(session.value.journal, flags.inline === true);
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

/** A page wears the themes that the settings name; where they cannot be read, its own colours. */
async function htmlWriter(io: Io): Promise<Write> {
  const [{ writeHtml }, { pageStyle }] = await Promise.all([import("../export/html.ts"), import("../theme/page.ts")]);
  const settings = await openSettings({ cwd: io.cwd, home: io.home });
  const grounds = settings.ok ? pageStyle(io.home, settings.value) : "";
  return (journal) => writeHtml(journal, grounds);
}

const isSame = (file: string, other: string): boolean => existsSync(file) && realpathSync(file) === realpathSync(other);

/** A session can be longer than a string may be, so piece by piece; what was there stays until all of it is written. */
function writeAll(file: string, pieces: Iterable<string>): void {
  // A device or a pipe has no other name.
  const isPlain = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  const target = isPlain && existsSync(file) ? realpathSync(file) : file;
  const fresh = isPlain ? `${target}.${process.pid}.tmp` : target;
  try {
    const fd = openSync(fresh, "w");
    try {
      for (const piece of pieces) writeFileSync(fd, piece);
    } finally {
      closeSync(fd);
    }
    if (isPlain) renameSync(fresh, target);
  } catch (error) {
    if (isPlain) rmSync(fresh, { force: true });
    throw error;
  }
}
