import { version } from "../../package.json";
import type { Flag } from "../../packages/cli/src/argv/parse.ts";
import environment from "../../packages/cli/src/command/help/environment.md" with { type: "text" };
import codes from "../../packages/cli/src/command/help/exit-codes.md" with { type: "text" };
import { subcommands } from "../../packages/cli/src/command/run.ts";
import { called } from "../../packages/cli/src/command/subcommand.ts";

/** Makes `docs/pith.1`, the page of `man pith`, from the tables of the program. */
export async function manual(): Promise<string> {
  const all = await Promise.all(Object.entries(subcommands).map(async ([name, load]) => [name, await load()] as const));
  const lines = [
    `.TH PITH 1 "" "pith ${version}" "User Commands"`,
    ".SH NAME",
    "pith \\- a coding agent for the terminal",
    ".SH SYNOPSIS",
    ...all.flatMap(([name, shape]) => [".br", `.B ${roff(called(name, shape))}`]).slice(1),
    ".SH DESCRIPTION",
    roff(
      "What does not begin with a command begins a conversation: the full screen at a terminal, or one answer on stdout",
    ),
    roff("with -p, or where standard input or output is no terminal. pith help <topic> has a page on every topic,"),
    roff("pith help <page> every page of the documentation."),
    ".SH COMMANDS",
    ...all
      .filter(([name]) => name !== "launch")
      .flatMap(([name, { about }]) => [".TP", `.B ${roff(name)}`, roff(about)]),
    ...all.flatMap(([name, shape]) => options(name, shape.options)),
    ".SH ENVIRONMENT",
    ...page(environment),
    ".SH EXIT STATUS",
    ...page(codes),
    ".SH FILES",
    ...[
      ["~/.pith/config.yml", "settings; pith help settings lists them all"],
      ["~/.pith/models.yml", "vendors and models of your own"],
      ["~/.pith/sessions/", "every conversation, one file each"],
      [".pith/config.yml", "settings of a project, as far as they cannot do harm"],
      ["AGENTS.md, CLAUDE.md", "what a project tells the model, from the root of the repository down"],
    ].flatMap(([file = "", about = ""]) => [".TP", `.I ${roff(file)}`, roff(about)]),
  ];
  return `${lines.join("\n")}\n`;
}

function options(name: string, flags: Readonly<Record<string, Flag>>): string[] {
  const rows = Object.entries(flags);
  if (rows.length === 0) return [];
  return [
    name === "launch" ? ".SH OPTIONS" : `.SS ${roff(`pith ${name}`)}`,
    ...rows.flatMap(([option, flag]) => {
      const spelled = [...(flag.short ? [`-${flag.short}`] : []), `--${option}`].join(", ");
      const value = flag.takes === "nothing" ? "" : ` <${flag.as}>`;
      return [".TP", `.B ${roff(`${spelled}${value}`)}`, roff(flag.about)];
    }),
  ];
}

/** A page of help without its heading; indented blocks keep their lines. */
function page(text: string): string[] {
  const blocks = text
    .replace(/^# .*\n+/, "")
    .trimEnd()
    .split("\n\n");
  return blocks.flatMap((block, at) => {
    const lines = block.split("\n").map(roff);
    const before = at === 0 ? [] : [".PP"];
    return block.startsWith("    ") ? [...before, ".nf", ...lines, ".fi"] : [...before, ...lines];
  });
}

/** Escapes a line for roff. */
const roff = (line: string): string =>
  line.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("`", "").replace(/^[.']/, "\\&$&");
