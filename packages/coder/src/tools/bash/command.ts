import { resolve } from "node:path";
import { expandHome } from "@pith/kit";
import type { Files } from "../../files/files.ts";
import { lastPipeline } from "./pipeline.ts";

/** Where a command is read. */
type Here = Pick<Files, "cwd" | "userHome">;

/** A command as it is run, and what was taken off it. */
export interface Tidied {
  command: string;
  cwd?: string;
  /** A trailing pipe that would only have thrown output away. */
  stripped?: { pipe: string; keep: "head" | "tail" };
}

export interface TidyOptions {
  /** Whether a directory stands at a path that one may go to. */
  isDirectory(path: string): boolean;
  pipes: "strip" | "keep";
  /** A given one leaves a leading `cd` alone. */
  cwd?: string | undefined;
}

/**
 * Takes a leading `cd` and a trailing `| head`, `| tail` or `2>&1` off a command, where it is certain that this means
 * the same.
 */
export function tidy(here: Here, command: string, options: TidyOptions): Tidied {
  if (/[\r\n]/.test(command.trim())) return { command };
  const moved = options.cwd === undefined ? leadingCd(here, command, options.isDirectory) : undefined;
  const rest = moved?.command ?? command;
  const stripped = options.pipes === "strip" ? trailingPipe(rest) : undefined;
  return {
    command: stripped?.command ?? rest,
    cwd: moved?.cwd,
    stripped: stripped?.pipe,
  };
}

/**
 * `cd path && rest`. A path with an expansion is left to the shell, as is one that does not exist: its error belongs
 * there.
 */
function leadingCd(here: Here, command: string, isDirectory: TidyOptions["isDirectory"]) {
  const match = /^\s*cd\s+(?:"([^"$`\\!]+)"|'([^']+)'|([\w./~@%+,:=-]+))\s*&&\s*(\S.*)$/.exec(command);
  const path = match?.[1] ?? match?.[2] ?? match?.[3];
  const rest = match?.[4];
  if (path === undefined || rest === undefined || path.startsWith("-")) return undefined;
  // Quotes keep a tilde from being a home, and `~name` is somebody else's.
  if (path.startsWith("~") && (match?.[3] === undefined || !/^~(?:\/|$)/.test(path))) return undefined;
  // As the shell reads it, which knows fewer ways to name a place than other arguments do.
  const cwd = resolve(here.cwd, expandHome(path, here.userHome));
  return isDirectory(cwd) ? { cwd, command: rest } : undefined;
}

function trailingPipe(command: string): { command: string; pipe?: Tidied["stripped"] } | undefined {
  const match = /^(.*[^|&\s\\])\s*\|\s*((head|tail)(?:\s+-(?:n\s*)?\d+)?)\s*$/.exec(command);
  const [, before, pipe, program] = match ?? [];
  const keep = program === "head" || program === "tail" ? program : undefined;
  if (before === undefined || pipe === undefined || !keep || endless.test(before) || !standsAlone(before)) {
    const plain = redundant(command);
    return plain === command ? undefined : { command: plain };
  }
  return { command: redundant(before), pipe: { pipe: `| ${pipe}`, keep } };
}

/**
 * Whether the end of a command does the same when nothing reads from it. In a pipe it runs in a shell below, and leaves
 * no trace in this one.
 */
function standsAlone(command: string): boolean {
  const last = lastPipeline(command);
  if (!last || last.text.startsWith("!")) return false;
  if (last.stages > 1 || last.text.startsWith("(")) return !last.text.startsWith("((");
  const word = /^(?:\w+=(?:[^\s'"`$\\(]*|'[^']*')\s+)*([\w./~@%+,:-]+|\[)(?=\s|$)/.exec(last.text)?.[1];
  return word !== undefined && !leavesTraces.test(word);
}

const leavesTraces =
  /^(?:cd|pushd|popd|dirs|export|declare|typeset|local|readonly|unset|set|shopt|alias|unalias|source|\.|eval|exec|exit|return|read|mapfile|readarray|let|getopts|umask|ulimit|trap|hash|enable|builtin|command|wait|shift|break|continue|bind|complete|history|fc|jobs|disown|fg|bg|coproc|if|for|while|until|case|select|function|then|do|else|elif|fi|done|esac)$/;

/** Both streams arrive together: a final `2>&1` says nothing, unless stdout goes elsewhere. */
function redundant(command: string): string {
  const before = /^(.*[^\s\\&|;(])\s+2>&1\s*$/.exec(command)?.[1];
  return before === undefined || /[<>]/.test(before) ? command : before;
}

const endless = new RegExp(
  [
    // Some never end by themselves, some end much earlier when nobody reads on, and some say far more than is worth
    // keeping.
    /\b(?:yes|watch|ping|top|htop|journalctl|dmesg|tcpdump|strace|inotifywait|nc|serve|dev|start|while|until|for|seq)\b/,
    /\b(?:find|fd|locate|grep|rg|ag|du|ls|tree|cat|zcat|git|curl|wget|docker|kubectl)\b/,
    /\/dev\/|\/proc\/|(?:^|\s)(?:-\w*[fFw]\w*|--follow|--watch)\b/,
  ]
    .map((part) => part.source)
    .join("|"),
);
