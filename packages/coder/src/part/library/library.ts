import { fill } from "@pith/kit";
import type { Item } from "../../capability/item.ts";
import type { Template } from "../../capability/kind/kind.ts";
import type { Capabilities } from "../../capability/registry.ts";
import { sourcesText } from "../../capability/report.ts";
import { type Command, type Ending, prompt, show } from "../../command/command.ts";
import { argumentsIn, embedded, fillShell, fillTemplate, withOutputs } from "../../command/template.ts";
import { contextFiles } from "../../context/files.ts";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import initProse from "../../prompts/init.md" with { type: "text" };
import skillProse from "../../prompts/skill-call.md" with { type: "text" };

type Needs = "capabilities" | "table" | "settings" | "call" | "tools" | "channel" | "renew" | "refresh";

/** What files bring that a person calls by its name: commands, prompts, skills; and what was found at all. */
export const library: MakePart<Needs> = (hall) => {
  const { capabilities, table, tools } = hall;
  for (const kind of ["command", "prompt"] as const)
    capabilities.reserve(kind, () => table.own.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  capabilities.reserve("tool", () => tools.names);
  table.find(() => rowsOf(hall));
  return {
    name: "library",
    commands: [
      {
        name: "sources",
        about: "what was found in configuration, whose it is and whether it counts",
        usage: "[kind]",
        when: "any time",
        complete: (words) =>
          ["skill", "command", "rule", "context", "mcp", "hook", "agent"].filter((kind) => kind.startsWith(words)),
        run: (words) => show(sourcesText(capabilities, words)),
      },
      {
        name: "reload",
        about: "look at all configuration again, and tell the model its instructions anew",
        when: "idle",
        run: () => reload(hall),
      },
      {
        name: "init",
        about: "write an AGENTS.md from what is seen here",
        usage: "[words]",
        when: "idle",
        run: (words) => init(capabilities, words),
      },
      {
        name: "new",
        about: "begin a new session",
        aliases: ["clear"],
        when: "any time",
        run: () => ({ do: "wish", wish: { name: "act", action: "app.session.new", words: "" } }),
      },
    ],
  };
};

/** Commands before prompts before skills; of one name the first counts. */
function rowsOf(hall: Pick<Hall, Needs>): Command[] {
  const { capabilities, settings, table } = hall;
  const taken = new Set(table.own.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
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
    usage: data.hint || "[words]",
    when: "any time",
    from: { path: file, level },
    run: (words, signal) => expanded(item, words, hall, signal),
  };
}

async function expanded(
  { name, file, level, state, why, data }: Item<"command"> | Item<"prompt">,
  words: string,
  { call, channel, capabilities }: Pick<Hall, Needs>,
  signal: AbortSignal,
): Promise<Ending> {
  if (state === "untrusted")
    return show(`/${name} runs commands of its own, and ${why}: ${file}. pith trust tells more.`, "failed");
  if (argumentsIn(words).open)
    channel.tell({ level: "warn", text: `/${name}: a quote was not closed; it was taken to the end.` });
  const outputs: string[] = [];
  for (const command of commandsOf(data)) {
    const filled = fillShell(command, words);
    if (filled === undefined)
      return show(`/${name} was not run: in \`${command}\` what you type could become code.`, "failed");
    const outcome = await call("bash", { command: filled }, signal);
    if (outcome.failed) return show(`/${name} stopped at \`${command}\`: ${outcome.text}`, "failed");
    outputs.push(outcome.text);
  }
  // A file names its files itself, and an argument may be part of such a name; what commands print names none.
  const text = fillTemplate(withOutputs(data.body, []), words).replace(/@\{([^}\n]+)\}/g, '@"$1"');
  const within = level === "project" ? capabilities.look.place.root : undefined;
  return prompt(fillAround(data.body, words, outputs), { text, within });
}

const commandsOf = ({ style, body }: Template): string[] => (style === "pith" ? [] : embedded(body));

/** Holes are those of the text itself: neither an argument nor an output has any. */
function fillAround(body: string, words: string, outputs: readonly string[]): string {
  if (outputs.length === 0) return fillTemplate(body, words);
  const mark = `\u0000${crypto.randomUUID()}\u0000`;
  const filled = fillTemplate(
    withOutputs(
      body,
      outputs.map((_, at) => `${mark}${at};`),
    ),
    words,
  );
  return filled.replace(new RegExp(`${mark}(\\d+);`, "g"), (_, at) => outputs[Number(at)] ?? "");
}

const skillRow = ({ name, level, file, data }: Item<"skill">): Command => ({
  name: `skill:${name}`,
  about: data.description,
  usage: "[words]",
  when: "any time",
  from: { path: file, level },
  run(words) {
    const said = { name, folder: data.folder, body: data.body, words: words === "" ? "" : `\n\n${words}` };
    return prompt(fill(skillProse, said).trim());
  },
});

function init(capabilities: Capabilities, words: string): Ending {
  const files = contextFiles(capabilities, () => {}).map(({ path }) => path);
  const there = files.some((path) => path.endsWith("/AGENTS.md")) ? ", or mend the one that is there" : "";
  const text = fill(initProse, { there, seen: files.join(", ") || "none" }).trim();
  return prompt(words === "" ? text : `${text}\n\n${words}`);
}

/** Whoever asks for it pays for a new prompt, and gets one of a piece instead of notes. */
async function reload({ capabilities, renew, refresh }: Pick<Hall, Needs>): Promise<Ending> {
  const { problems } = await refresh();
  const found = (["context", "skill", "rule", "command"] as const).map(
    (kind) => `${capabilities.of(kind).winners.length} of ${kind}`,
  );
  renew("you asked for it");
  return show([`Looked again: ${found.join(", ")}.`, ...problems].join("\n"));
}
