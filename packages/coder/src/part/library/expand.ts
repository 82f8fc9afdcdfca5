import { fill } from "@pith/kit";
import type { Item } from "../../capability/item.ts";
import type { Template } from "../../capability/kind/kind.ts";
import type { Capabilities } from "../../capability/registry.ts";
import { type Ending, prompt, show } from "../../command/command.ts";
import { contextFiles } from "../../context/files.ts";
import type { Hall } from "../../hall/hall.ts";
import initProse from "./init.md" with { type: "text" };
import skillProse from "./skill-call.md" with { type: "text" };
import { argumentsIn, embedded, fillShell, fillTemplate, withOutputs } from "./template.ts";

/** Expands the file of a command with the typed arguments. */
export async function expanded(
  { name, file, level, state, why, data }: Item<"command"> | Item<"prompt">,
  words: string,
  { call, channel, capabilities }: Pick<Hall, "call" | "channel" | "capabilities">,
  signal: AbortSignal,
): Promise<Ending> {
  if (state === "untrusted")
    return show(`/${name} runs commands of its own, and ${why}: ${file}. See pith trust.`, "failed");
  if (argumentsIn(words).open)
    channel.notify({ level: "warn", text: `/${name}: a quote was not closed; it was taken to the end.` });
  const outputs: string[] = [];
  for (const command of commandsOf(data)) {
    const filled = fillShell(command, words, data.style);
    if (filled === undefined)
      return show(`/${name} was not run: in \`${command}\` your arguments could become code.`, "failed");
    const outcome = await call("bash", { command: filled }, signal);
    if (outcome.failed) return show(`/${name} stopped at \`${command}\`: ${outcome.text}`, "failed");
    outputs.push(outcome.text);
  }
  // Files are named by the file and by arguments, not by the output of its commands.
  const text = fillTemplate(withOutputs(data.body, []), words, data.style).replace(/@\{([^}\n]+)\}/g, '@"$1"');
  const within = level === "project" ? capabilities.files.place.root : undefined;
  return prompt(fillAround(data, words, outputs), { text, within });
}

const commandsOf = ({ style, body }: Template): string[] => (style === "pith" ? [] : embedded(body));

/** Fills the placeholders of the text itself, not those in arguments or outputs. */
function fillAround({ body, style }: Template, words: string, outputs: readonly string[]): string {
  if (outputs.length === 0) return fillTemplate(body, words, style);
  const mark = `\u0000${crypto.randomUUID()}\u0000`;
  const filled = fillTemplate(
    withOutputs(
      body,
      outputs.map((_, at) => `${mark}${at};`),
    ),
    words,
    style,
  );
  return filled.replace(new RegExp(`${mark}(\\d+);`, "g"), (_, at) => outputs[Number(at)] ?? "");
}

/** Gives the model a skill as a whole. */
export function called({ name, data }: Item<"skill">, words: string): Ending {
  const said = { name, folder: data.folder, body: data.body, words: words === "" ? "" : `\n\n${words}` };
  return prompt(fill(skillProse, said).trim());
}

export function init(capabilities: Capabilities, words: string): Ending {
  const files = contextFiles(capabilities, () => {}).map(({ path }) => path);
  const there = files.some((path) => path.endsWith("/AGENTS.md")) ? ", or mend the one that is there" : "";
  const text = fill(initProse, { there, seen: files.join(", ") || "none" }).trim();
  return prompt(words === "" ? text : `${text}\n\n${words}`);
}
