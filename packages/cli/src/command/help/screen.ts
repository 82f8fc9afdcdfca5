import { version } from "../../../../../package.json";
import { launchFlags } from "../../argv/flag.ts";
import type { Flag } from "../../argv/parse.ts";
import { topicNames } from "./topic.ts";

/** The one screen of `pith --help`: with the line it was asked on, 24 lines of 80 columns. */
export function helpScreen(): string {
  return `${[
    `pith ${version}, a coding agent for the terminal`,
    "  pith [options] [@file ...] [prompt]      chat; with -p: answer and exit",
    "  pith tool [<name> '<json>' | --batch]    run a tool as the model would",
    "  pith sessions [words] | undo | changes   find sessions; undo or list changes",
    "  pith config | models | auth | stats      settings, models, keys, costs",
    "  pith doctor | completion                 check the setup; shell completion",
    `  pith help <topic>   ${topicNames.slice(0, 7).join(", ")},`,
    `      ${topicNames.slice(7, 17).join(", ")},`,
    `      ${topicNames.slice(17).join(", ")}, and all docs`,
    "",
    ...Object.entries<Flag>(launchFlags)
      .filter(([, flag]) => !flag.rare)
      .map(([name, flag]) => optionLine(name, flag)),
    "  pith help options       all options, also those of subcommands",
  ].join("\n")}\n`;
}

/** A line about an option. */
export function optionLine(name: string, flag: Flag): string {
  return `  ${`${spelledOut(name, flag)} `.padEnd(24)}${flag.about}`;
}

function spelledOut(name: string, flag: Flag): string {
  const short = flag.short ? `-${flag.short}, ` : "    ";
  const value = flag.takes === "nothing" ? "" : ` <${flag.as}>`;
  return `${short}--${name}${value}`;
}
