import { Points, Registry } from "@pith/agent";
import { CommandTable } from "../command/table.ts";
import { Offering, offerOf } from "../context/offering.ts";
import { Keeping } from "../hall/keeping.ts";
import type { MakePart } from "../hall/part.ts";
import { builtinSchemes } from "../url/builtin.ts";
import { Router } from "../url/router.ts";

declare module "../hall/hall.ts" {
  interface Hall {
    /** Points of a turn, with the hooks of parts. */
    points: Points;
    tools: Registry;
    /** The tools that the model is told of. */
    offering: Offering;
    /** The slash commands. */
    commands: CommandTable;
    /** State of all parts that outlives a compaction. */
    keeping: Keeping;
    /** Blocks of the system prompt, in the order of the list. */
    promptBlocks: (() => readonly string[])[];
    /** Internal addresses. */
    urls: Router;
  }
}

/** The tables that later parts fill. */
export const tables: MakePart<
  "choice" | "settings",
  "points" | "tools" | "offering" | "commands" | "keeping" | "promptBlocks"
> = ({ choice, settings }) => {
  const tools = new Registry();
  let offer = { profile: choice.profile, made: offerOf(settings, choice.wanted.tools) };
  const offering = new Offering(tools, () => {
    const { profile } = choice;
    if (profile !== offer.profile) offer = { profile, made: offerOf(settings, choice.wanted.tools) };
    return offer.made;
  });
  return {
    name: "tables",
    owns: {
      points: new Points(),
      tools,
      offering,
      commands: new CommandTable(),
      keeping: new Keeping(),
      promptBlocks: [],
    },
  };
};

/** The table of internal addresses; parts add the schemes. */
export const addressTable: MakePart<
  "artifacts" | "directory" | "cwd" | "home" | "conflicts" | "capabilities",
  "urls"
> = ({ artifacts, directory, cwd, home, conflicts, capabilities }) => ({
  name: "address table",
  owns: {
    urls: new Router(
      {
        artifacts,
        get sessionDir() {
          return directory.folder;
        },
        project: cwd,
        home,
        conflicts,
        capabilities,
      },
      { ...builtinSchemes, handlers: {} },
    ),
  },
});
