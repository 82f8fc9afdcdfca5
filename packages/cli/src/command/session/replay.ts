import { type Event, type Journal, replay } from "@pith/agent";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, usage } from "../../io/io.ts";
import { readSession, sessionDir } from "../../open/folder.ts";
import { subcommand } from "../subcommand.ts";

/** Plays a session through the loop and the views without a model or a tool; exits with 1 when it comes out otherwise. */
export const replaySession = subcommand({
  usage: "<id>",
  about: "replay a session without a model",
  help: "export",
  options: {
    json: { takes: "nothing", about: "the events as JSON mode prints them" },
    check: { takes: "nothing", about: "only compare; print nothing" },
    "session-dir": sessionDir,
  },
  maxWords: 1,
  async run({ flags, words: [word] }, io) {
    if (word === undefined || (flags.json && flags.check)) return "usage";
    const opened = await readSession(io, word, flags["session-dir"]);
    if (!opened.ok) return usage(io, opened.message);
    const { journal } = opened.value;
    const tell = flags.check ? () => {} : flags.json ? await jsonTeller(journal, io) : await lineTeller(io);
    const { differences } = await replay(journal.tree.pathTo(), tell);
    for (const difference of differences) complain(io, difference);
    return differences.length > 0 ? exit.unfinished : exit.finished;
  },
});

async function jsonTeller(journal: Journal, io: Io): Promise<(event: Event) => void> {
  const { jsonPrinter } = await import("../../mode/print/json.ts");
  const printer = jsonPrinter(journal.header, io);
  return (event) => printer.take(event);
}

/** Prints the pieces of the transcript, each once it is final. */
async function lineTeller(io: Io): Promise<(event: Event) => void> {
  const { printTranscript } = await import("../../mode/full/transcript/print.ts");
  const { scrollTheme } = await import("../../view/theme.ts");
  // A file or a pipe gets plain text.
  const env = io.outIs === "device" ? io.env : { ...io.env, NO_COLOR: "1" };
  const columns = Number(io.env.COLUMNS) || 100;
  return printTranscript(scrollTheme(env, process.platform), columns, (text) => io.out.write(text));
}
