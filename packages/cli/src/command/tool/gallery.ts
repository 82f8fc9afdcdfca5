import { builtinTheme, detectCapabilities, palettes, runGallery } from "@pith/tui";
import { exit } from "../../io/interrupt.ts";
import { subcommand } from "../subcommand.ts";

const names = Object.keys(palettes) as (keyof typeof palettes)[];

/** Draws every widget of the terminal and every kind of result in every state, the same on every day and machine. */
export const gallery = subcommand({
  usage: "[<story>]",
  about: "draw every part of the screen once",
  options: {
    width: { takes: "count", as: "columns", about: "draw this wide" },
    palette: { takes: "choice", as: "name", of: names, about: names.join(", ") },
    "colour-blind": { takes: "nothing", about: "diffs in blue and orange" },
    ascii: { takes: "nothing", about: "no line drawing characters" },
  },
  maxWords: 1,
  async run({ flags, words: [story] }, io) {
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
      more: (await import("../../view/gallery.ts")).viewExamples,
    });
    return shown === "shown" ? exit.finished : exit.usage;
  },
});
