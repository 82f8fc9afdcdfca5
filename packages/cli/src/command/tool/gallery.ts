import { builtinTheme, detectCapabilities, palettes, runGallery } from "@pith/tui";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { usage } from "../../io/io.ts";
import type { Command } from "../command.ts";

const names = Object.keys(palettes) as (keyof typeof palettes)[];

export const options = {
  width: { takes: "count", as: "columns", about: "draw this wide" },
  palette: { takes: "choice", as: "name", of: names, about: names.join(", ") },
  "colour-blind": { takes: "nothing", about: "diffs in blue and orange" },
  ascii: { takes: "nothing", about: "no line drawing characters" },
  help: { short: "h", takes: "nothing", about: "how to use it" },
} as const satisfies FlagTable;

const how = `pith gallery [<story>] [--width <columns>] [--palette ${names.join("|")}] [--colour-blind] [--ascii]`;

/** `pith gallery`: every widget of the terminal and every kind of result in every state, drawn the same on every day and machine. */
export const gallery: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words } = parsed.value;
  const [story, ...more] = words;
  if (flags.help) {
    io.out.write(`${how}\n`);
    return exit.finished;
  }
  if (more.length > 0) return usage(io, `usage: ${how}`);
  const { colours, unicode, links, contrast } = detectCapabilities(io.env, process.platform);
  // A file or a pipe gets plain text, unless somebody wants the colours (to take a picture, say).
  const coloured = io.env.FORCE_COLOR !== undefined || (await io.isTerminal("out"));
  const level = coloured ? colours : "none";
  const shown = await runGallery({
    write: (text) => io.out.write(text),
    level,
    theme: builtinTheme({
      level,
      links: coloured && links,
      palette: flags.palette ?? (contrast ? "contrast" : undefined),
      colourBlind: flags["colour-blind"],
      ascii: flags.ascii || !unicode ? true : undefined,
    }),
    columns: flags.width ?? (Number(io.env.COLUMNS) || 80),
    height: 24,
    story,
    more: (await import("../../view/story.ts")).viewStories,
  });
  return shown === "shown" ? exit.finished : exit.usage;
};
