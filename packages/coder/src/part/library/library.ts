import type { Item } from "../../capability/item.ts";
import { type Command, type Ending, show } from "../../command/command.ts";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";

type Needs = "capabilities" | "commands" | "settings" | "call" | "tools" | "channel" | "renew" | "store";

/** Commands, prompts and skills of files, as slash commands, and the list of all that was found. */
export const library: MakePart<Needs> = (hall) => {
  const { capabilities, commands, tools } = hall;
  for (const kind of ["command", "prompt"] as const)
    capabilities.reserve(kind, () => commands.own.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  capabilities.reserve("tool", () => tools.names);
  commands.find(() => rowsOf(hall));
  return {
    name: "library",
    commands: [
      {
        name: "sources",
        about: "list configuration found here, with source and state",
        usage: "[kind]",
        complete: (words) =>
          ["skill", "command", "rule", "context", "mcp", "hook", "agent"].filter((kind) => kind.startsWith(words)),
        run: async (words) => show((await import("../../capability/report.ts")).sourcesText(capabilities, words)),
      },
      {
        name: "reload",
        about: "read all configuration again and update the system prompt",
        when: "idle",
        run: () => reload(hall),
      },
      {
        name: "init",
        about: "write an AGENTS.md about this project",
        usage: "[words]",
        when: "idle",
        run: async (words) => (await expanding()).init(capabilities, words),
      },
      {
        name: "new",
        about: "begin a new session",
        aliases: ["clear"],
        run: () => ({ do: "wish", wish: { name: "new" } }),
      },
    ],
  };
};

/** Lists commands before prompts before skills; the first of a name counts. */
function rowsOf(hall: Pick<Hall, Needs>): Command[] {
  const { capabilities, settings, commands } = hall;
  const taken = new Set(commands.own.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  const found = (["command", "prompt"] as const).flatMap((kind) =>
    capabilities.of(kind).all.filter(({ state }) => state === "active" || state === "untrusted"),
  );
  const rows = found.map((item) => rowOf(item, hall));
  const skills = settings.get("skills.commands") ? capabilities.of("skill").winners : [];
  return [...rows, ...skills.map(skillRow)].filter(({ name }) => !taken.has(name) && taken.add(name));
}

function rowOf(item: Item<"command"> | Item<"prompt">, hall: Pick<Hall, Needs>): Command {
  const { name, source, level, file, data } = item;
  return {
    name,
    about: `${data.description} (${source}, ${level})`,
    // The name without its folder works, too.
    ...(name.includes(":") && { aliases: [name.slice(name.lastIndexOf(":") + 1)] }),
    usage: data.hint || "[words]",
    from: { path: file, level },
    run: async (words, signal) => (await expanding()).expanded(item, words, hall, signal),
  };
}

const skillRow = (item: Item<"skill">): Command => ({
  name: `skill:${item.name}`,
  about: item.data.description,
  usage: "[words]",
  from: { path: item.file, level: item.level },
  run: async (words) => (await expanding()).called(item, words),
});

/** Loads the expansion of files when one is called. */
const expanding = () => import("./expand.ts");

/** Searches configuration again, and makes a new prompt instead of notes about changes. */
async function reload({ capabilities, renew, store }: Pick<Hall, Needs>): Promise<Ending> {
  const { problems } = await store.refresh();
  const found = (["context", "skill", "rule", "command"] as const).map(
    (kind) => `${capabilities.of(kind).winners.length} of ${kind}`,
  );
  renew("you asked for it");
  return show([`Read again: ${found.join(", ")}.`, ...problems].join("\n"));
}
