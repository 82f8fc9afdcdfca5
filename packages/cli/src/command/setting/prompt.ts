import { openCoder, type PromptReport } from "@pith/coder";
import { plainText, showPath } from "@pith/kit";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../../io/io.ts";
import { openProject } from "../../open/project.ts";
import { promptOverrides } from "../../open/system-prompt.ts";
import { subcommand } from "../subcommand.ts";

/** Prints all that a model is told before the first message, and the size of each part. */
export const prompt = subcommand({
  usage: "",
  about: "what a model is told before the first word, and what that weighs",
  help: "config",
  options: {
    json: { takes: "nothing", about: "as JSON, with bytes and tokens of every part" },
    model: { takes: "text", as: "name", about: "the prompt for this model" },
    "system-prompt": { takes: "text", as: "text|file", about: "replace the system prompt" },
    "append-system-prompt": { takes: "text", as: "text|file", about: "add to the system prompt" },
    config: { takes: "texts", as: "file", about: "settings for this run" },
    cwd: { takes: "text", as: "dir", about: "as in this directory" },
  },
  maxWords: 0,
  async run({ flags }, io) {
    const overrides = promptOverrides(flags, io);
    if (!overrides.ok) return usage(io, overrides.message);
    const project = await openProject(flags, io);
    if (!project.ok) return usage(io, project.message);
    const { cwd, settings } = project.value;
    for (const warning of settings.warnings) complain(io, warning);
    const { home, userHome, env, clock } = io;
    const approval = settings.get("approval.mode");
    const shared = { cwd, home, userHome, env, clock, settings, words: overrides.value, approval, asks: true };
    const open = (model: string | undefined) => openCoder({ ...shared, model, session: { open: "none" } });
    const named = await open(flags.model);
    // Without a connected model the prompt is that of a scripted one.
    const opened = named.ok || flags.model !== undefined ? named : await open("faux/echo");
    if (!opened.ok) return usage(io, opened.message);
    const coder = opened.value;
    using _ = coder.subscribe((event) => event.type === "notice" && complain(io, event.notice.text));
    const report = await coder.report.prompt();
    await coder.close();
    if (flags.json) io.out.write(jsonLine(report, io));
    else io.out.write(reportText(report, io));
    return exit.finished;
  },
});

function reportText({ parts, tools, bytes, tokens }: PromptReport, io: Io): string {
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

const sum = (rows: readonly { bytes: number; tokens: number }[], field: "bytes" | "tokens"): number =>
  rows.reduce((total, row) => total + row[field], 0);
