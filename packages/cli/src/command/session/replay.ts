import { type Event, type Journal, replay, textOf } from "@pith/agent";
import { plainText } from "@pith/kit";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, usage } from "../../io/io.ts";
import { readSession, sessionDir } from "../../open/folder.ts";
import type { Command } from "../command.ts";

export const options = {
  json: { takes: "nothing", about: "the events as JSON mode prints them" },
  check: { takes: "nothing", about: "print nothing; only say whether it comes out the same" },
  "session-dir": sessionDir,
} as const satisfies FlagTable;

/**
 * `pith replay`: plays a session through the loop and the views without a model or a tool; exits with 1 when it comes
 * out otherwise.
 */
export const replayCommand: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words } = parsed.value;
  const [word, ...more] = words;
  if (word === undefined || more.length > 0 || (flags.json && flags.check))
    return usage(io, "usage: pith replay <session> [--json | --check]");
  const opened = await readSession(io, word, flags["session-dir"]);
  if (!opened.ok) return usage(io, opened.message);
  const { journal } = opened.value;
  const tell = flags.check ? () => {} : flags.json ? await jsonTeller(journal, io) : await lineTeller(io);
  const { differences } = await replay(journal.tree.pathTo(), tell);
  for (const difference of differences) complain(io, difference);
  return differences.length > 0 ? exit.unfinished : exit.finished;
};

async function jsonTeller(journal: Journal, io: Io): Promise<(event: Event) => void> {
  const { jsonPrinter } = await import("../../mode/print/json.ts");
  const printer = jsonPrinter(journal.header, io);
  return (event) => printer.take(event);
}

async function lineTeller(io: Io): Promise<(event: Event) => void> {
  const { Teller } = await import("../../mode/line/teller.ts");
  const { scrollTheme } = await import("../../view/theme.ts");
  const { openAnswer } = await import("../../view/answer.ts");
  // A file or a pipe gets plain text.
  const env = io.outIs === "device" ? io.env : { ...io.env, NO_COLOR: "1" };
  const theme = scrollTheme(env, process.platform);
  const teller = new Teller(io.out, { theme, columns: Number(io.env.COLUMNS) || 100, height: 12 }, { openAnswer });
  return (event) => {
    // What a person typed stood on the screen before the turn began.
    if (event.type === "entry" && event.entry.type === "message" && event.entry.message.role === "user") {
      teller.line(theme.paint("accent", `> ${plainText(textOf(event.entry.message.content))}`));
    } else teller.take(event);
  };
}
