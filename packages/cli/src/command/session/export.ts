import { resolve } from "node:path";
import { openSettings } from "@pith/coder";
import { messageOf } from "@pith/kit";
import { exported, exportForms, isSame, writeAll } from "../../export/write.ts";
import { exit } from "../../io/interrupt.ts";
import { unfinished, usage } from "../../io/io.ts";
import { readSession, sessionDir } from "../../open/folder.ts";
import { subcommand } from "../subcommand.ts";

export const exportSession = subcommand({
  usage: "<id> --html|--md|--json|--jsonl",
  about: "export a session as a page, text, data or file",
  help: "export",
  options: {
    html: { takes: "nothing", about: "one page with everything in it" },
    md: { takes: "nothing", about: "Markdown of the path to the leaf" },
    json: { takes: "nothing", about: "one JSON document of the whole tree" },
    jsonl: { takes: "nothing", about: "a session file of version 3" },
    inline: { takes: "nothing", about: "jsonl: with the images in it" },
    out: { takes: "text", as: "file", about: "write there instead of to stdout" },
    "session-dir": sessionDir,
  },
  maxWords: 1,
  async run({ flags, words: [word] }, io) {
    const [form, second] = exportForms.filter((each) => flags[each]);
    if (word === undefined || !form || second) return "usage";
    if (flags.inline && form !== "jsonl")
      return usage(io, "--inline goes with --jsonl; the other forms always hold the images");
    const session = await readSession(io, word, flags["session-dir"]);
    if (!session.ok) return usage(io, session.message);
    const settings = form === "html" ? await openSettings({ cwd: io.cwd, home: io.home }) : undefined;
    const needs = { io, settings: settings?.ok ? settings.value : undefined };
    const chunks = await exported(session.value.journal, form, flags.inline === true, needs);
    if (flags.out === undefined) {
      for (const chunk of chunks) {
        io.out.write(chunk);
        await io.out.flush();
        if (io.out.fault) break;
      }
      return exit.finished;
    }
    const target = resolve(io.cwd, flags.out);
    if (isSame(target, session.value.file)) return usage(io, "--out names the session itself");
    try {
      writeAll(target, chunks);
      return exit.finished;
    } catch (error) {
      return unfinished(io, `the export could not be written: ${messageOf(error)}`);
    }
  },
});
