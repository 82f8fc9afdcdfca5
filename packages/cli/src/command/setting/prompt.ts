import { resolve } from "node:path";
import { openCoder, type PromptReport } from "@pith/coder";
import { plainText, showPath } from "@pith/kit";
import { workDirectory } from "../../argv/directory.ts";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../../io/io.ts";
import { settingsIn } from "../../open/setting.ts";
import { promptOverrides } from "../../open/system-prompt.ts";
import type { Command } from "../command.ts";

export const options = {
  json: { takes: "nothing", about: "as JSON, with bytes and tokens of every part" },
  model: { takes: "text", as: "name", about: "as this model would be told" },
  "system-prompt": { takes: "text", as: "text|file", about: "in the place of the system prompt" },
  "append-system-prompt": { takes: "text", as: "text|file", about: "behind the system prompt" },
  config: { takes: "texts", as: "file", about: "settings for this run" },
  cwd: { takes: "text", as: "dir", about: "as in this directory" },
} as const satisfies FlagTable;

/** `pith prompt`: what a model would be told before the first word, and what each part of it weighs. */
export const prompt: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  if (words.length + plain.length > 0) return usage(io, "usage: pith prompt [--json] [--model <name>]");
  const cwd = workDirectory(flags.cwd, io.cwd);
  if (!cwd.ok) return usage(io, cwd.message);
  const said = promptOverrides(flags, io);
  if (!said.ok) return usage(io, said.message);
  const overlays = flags.config?.map((file) => resolve(io.cwd, file));
  const settings = await settingsIn(io, { cwd: cwd.value, overlays });
  if (!settings.ok) return usage(io, settings.message);
  for (const warning of settings.value.warnings) complain(io, warning);
  const { home, userHome, env, clock } = io;
  const shared = { cwd: cwd.value, home, userHome, env, clock, settings: settings.value, words: said.value };
  const open = (model: string | undefined) =>
    openCoder({
      ...shared,
      model,
      session: { open: "none" },
      approval: settings.value.get("approval.mode"),
      asks: true,
    });
  const named = await open(flags.model);
  // Nobody needs to be connected for a look.
  const opened = named.ok || flags.model !== undefined ? named : await open("faux/echo");
  if (!opened.ok) return usage(io, opened.message);
  const coder = opened.value;
  using _ = coder.subscribe((event) => event.type === "notice" && complain(io, event.notice.text));
  const report = await coder.prompt();
  await coder.close();
  if (flags.json) io.out.write(jsonLine(report, io));
  else io.out.write(pageOf(report, io));
  return exit.finished;
};

function pageOf({ parts, tools, bytes, tokens }: PromptReport, io: Io): string {
  const weigh = (row: { bytes: number; tokens: number }) => `${row.bytes} bytes, ${row.tokens} tokens`;
  const texts = parts.map(({ part, file, text, ...row }) => {
    const name = file === undefined ? part : `${part} ${showPath(io.cwd, file)}`;
    return `── ${name} (${weigh(row)})\n${text}`;
  });
  const all = tools.map(({ name, ...row }) => `   ${name} (${weigh(row)})`);
  const list = `── tools (${weigh({ bytes: sum(tools, "bytes"), tokens: sum(tools, "tokens") })})\n${all.join("\n")}`;
  const page = `${[...texts, list, `── all (${weigh({ bytes, tokens })})`].join("\n\n")}\n`;
  return io.outIs === "device" ? plainText(page) : page;
}

const sum = (rows: readonly { bytes: number; tokens: number }[], of: "bytes" | "tokens"): number =>
  rows.reduce((all, row) => all + row[of], 0);
