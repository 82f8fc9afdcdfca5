import { type Event, type Journal, replay, textOf } from "@pith/agent";
import { plainText } from "@pith/kit";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, usage } from "../../io/io.ts";
import { readSession, sessionDir } from "../../open/folder.ts";
import { subcommand } from "../subcommand.ts";

/** Plays a session through the loop and the views without a model or a tool; exits with 1 when it comes out otherwise. */
export const replaySession = subcommand({
  usage: "<id>",
  about: "a recorded session without a model",
  help: "export",
  options: {
    json: { takes: "nothing", about: "the events as JSON mode prints them" },
    check: { takes: "nothing", about: "print nothing; only say whether it comes out the same" },
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

async function lineTeller(io: Io): Promise<(event: Event) => void> {
  const { EventPrinter } = await import("../../mode/line/printer.ts");
  const { scrollTheme } = await import("../../view/theme.ts");
  const { openAnswer } = await import("../../view/answer.ts");
  // A file or a pipe gets plain text.
  const env = io.outIs === "device" ? io.env : { ...io.env, NO_COLOR: "1" };
  const theme = scrollTheme(env, process.platform);
  const printer = new EventPrinter(
    io.out,
    { theme, columns: Number(io.env.COLUMNS) || 100, height: 12 },
    { openAnswer },
  );
  return (event) => {
    // A prompt was on the screen before its turn began.
    if (event.type === "entry" && event.entry.type === "message" && event.entry.message.role === "user") {
      printer.line(theme.paint("accent", `> ${plainText(textOf(event.entry.message.content))}`));
    } else printer.take(event);
  };
}
