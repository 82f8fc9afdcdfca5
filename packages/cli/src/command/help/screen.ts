import { version } from "../../../../../package.json";
import { launchFlags } from "../../argv/flag.ts";
import type { Flag } from "../../argv/parse.ts";
import { topicNames } from "./topic.ts";

/** The one screen of `pith --help`: with the line it was asked on, 24 lines of 80 columns. */
export function helpScreen(): string {
  return `${[
    `pith ${version}, a coding agent for the terminal`,
    "  pith [options] [@file ...] [prompt]      talk, or answer and exit with -p",
    "  pith tool [<name> '<json>' | --batch]    run a tool as the model would",
    "  pith sessions [words] | undo | changes   what was said, what was changed",
    "  pith config | models | auth | stats      settings, models, keys, what it cost",
    "  pith doctor | completion                 is all in order; words for your shell",
    `  pith help <topic>   ${topicNames.slice(0, 7).join(", ")},`,
    `      ${topicNames.slice(7, 17).join(", ")},`,
    `      ${topicNames.slice(17).join(", ")}, and all docs`,
    "",
    ...Object.entries<Flag>(launchFlags)
      .filter(([, flag]) => !flag.rare)
      .map(([name, flag]) => optionLine(name, flag)),
    "  pith help options       all of them, also those of the other commands",
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
