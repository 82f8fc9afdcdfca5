import { basename, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import type { Files } from "../../files/files.ts";
import { literal } from "../../policy/shell/expand.ts";
import { parse } from "../../policy/shell/parse.ts";
import { parts } from "../../policy/shell/parts.ts";
import type { Item, List, Pipeline, Simple, Word } from "../../policy/shell/tree.ts";

/** Where a command is read. */
type Here = Pick<Files, "cwd" | "userHome">;

/** A command as it is run, and what was taken off it. */
export interface Tidied {
  command: string;
  cwd?: string;
  /** How many of the last lines a `| tail` asked for that was taken off. */
  lines?: number;
}

export interface TidyOptions {
  /** Whether a directory stands at a path that one may go to. */
  isDirectory(path: string): boolean;
  pipes: "strip" | "keep";
  /** A given one leaves a leading `cd` alone. */
  cwd?: string | undefined;
}

/**
 * Takes a leading `cd` and a trailing `| tail` or `2>&1` off a command, where it is certain that this means the same.
 * `| head` stays: it ends what writes to it.
 */
export function tidy(here: Here, command: string, options: TidyOptions): Tidied {
  const read = parse(command);
  if (!read.ok) return { command };
  const moved = options.cwd === undefined ? leadingCd(here, read.value, options.isDirectory) : undefined;
  const items = moved === undefined ? read.value.items : read.value.items.slice(1);
  const start = moved === undefined ? 0 : (items[0]?.pipeline.start ?? 0);
  const off = options.pipes === "strip" ? trailing(items) : undefined;
  return {
    command: command.slice(start, off?.end),
    ...(moved !== undefined && { cwd: moved }),
    ...(off?.lines !== undefined && { lines: off.lines }),
  };
}

/** The only command of a pipeline, if it is one program with what it is given. */
export function onlySimple({ commands, negated, timed }: Pipeline): Simple | undefined {
  const [only, ...more] = commands;
  return only?.kind === "simple" && more.length === 0 && !negated && !timed ? only : undefined;
}

/** `cd path &&` and more. One that does not exist is left to the shell: its error belongs there. */
function leadingCd(here: Here, { items }: List, isDirectory: TidyOptions["isDirectory"]): string | undefined {
  const [first, second] = items;
  const cd = first && onlySimple(first.pipeline);
  if (!second || first?.behind !== "&&" || !cd || cd.words.length !== 2 || cd.assigns.length + cd.redirects.length > 0)
    return undefined;
  const [program, place] = cd.words;
  const path = place && (literal(place) ?? ownHome(place));
  if (!program || literal(program) !== "cd" || !path || path.startsWith("-")) return undefined;
  // Quotes keep a tilde from being a home.
  const cwd = resolve(here.cwd, literal(place) === undefined ? expandHome(path, here.userHome) : path);
  return isDirectory(cwd) ? cwd : undefined;
}

/** `~` and `~/…`; `~name` is somebody else's. */
function ownHome({ pieces }: Word): string | undefined {
  const [only, ...more] = pieces;
  return only?.kind === "text" && more.length === 0 && /^~(?:\/[\w./@%+,:=-]*)?$/.test(only.text)
    ? only.text
    : undefined;
}

/** What can go at the end: where the command ends without it, and the lines that it asked for. */
function trailing(items: readonly Item[]): { end: number; lines?: number } | undefined {
  const last = items.at(-1);
  if (!last || last.behind === "&" || last.pipeline.negated || last.pipeline.timed) return undefined;
  const { commands } = last.pipeline;
  const before = commands.at(-2);
  const lines = before && linesAsked(commands.at(-1) as Simple);
  const taken = lines !== undefined && standsAlone(last.pipeline) && items.slice(0, -1).every(isSilent);
  const end = redundant(commands.at(taken ? -2 : -1));
  if (taken) return { end: end ?? before?.end ?? 0, lines };
  return end === undefined ? undefined : { end };
}

/** How many lines a `tail` shows that reads its input to the end and shows nothing else. */
function linesAsked(command: Pipeline["commands"][number]): number | undefined {
  if (command.kind !== "simple" || command.assigns.length + command.redirects.length > 0) return undefined;
  const words = command.words.map(literal);
  if (words.includes(undefined) || words[0] !== "tail") return undefined;
  const asked = /^(?:|(?:-n ?-?|--lines[= ]|-)([1-9]\d{0,6}))$/.exec(words.slice(1).join(" "));
  return asked ? Number(asked[1] ?? 10) : undefined;
}

/**
 * Whether the stages before the last do the same when nothing reads from them. In a pipe they run in shells below, and
 * leave no trace in this one.
 */
function standsAlone(pipeline: Pipeline): boolean {
  const stages = pipeline.commands.slice(0, -1);
  if (!stages.every((stage) => stage.kind === "simple" || (stage.kind === "compound" && stage.is === "subshell")))
    return false;
  const inside = parts({ ...pipeline, items: [{ pipeline: { ...pipeline, commands: stages }, behind: undefined }] });
  if (inside.some(({ words }) => isEndless(words))) return false;
  const [only, ...more] = stages;
  if (more.length > 0 || only?.kind !== "simple") return true;
  const program = only.words[0] && literal(only.words[0]);
  return program !== undefined && !leavesTraces.has(program);
}

const leavesTraces = new Set(
  `cd pushd popd dirs export declare typeset local readonly unset set shopt alias unalias source . eval exec exit return
  read mapfile readarray let getopts umask ulimit trap hash enable builtin command wait shift break continue bind
  complete history fc jobs disown fg bg`.split(/\s+/),
);

/** Some never end by themselves, and some say far more than is worth keeping. */
function isEndless(words: readonly (string | undefined)[]): boolean {
  const [program, ...more] = words;
  if (program !== undefined && chatty.has(basename(program))) return true;
  return more.some(
    (word) =>
      word !== undefined && /^(?:\/dev\/|\/proc\/|-\w*[fFw]\w*$|--follow|--watch|(?:dev|serve|start)$)/.test(word),
  );
}

const chatty = new Set(
  `yes watch ping top htop journalctl dmesg tcpdump strace inotifywait nc serve seq find fd locate grep rg ag du ls tree
  cat zcat git curl wget docker kubectl`.split(/\s+/),
);

/** What says nothing unless it fails, so that the last lines are those of what follows. */
function isSilent({ pipeline, behind }: Item): boolean {
  const only = onlySimple(pipeline);
  const program = only?.words[0] && literal(only.words[0]);
  return only !== undefined && behind !== "&" && (only.words.length === 0 || quiet.has(program ?? ""));
}

const quiet = new Set(
  "cd export unset set shopt source . mkdir rm cp mv touch true : test [ sleep umask ulimit".split(" "),
);

/** Where a command ends without a final `2>&1`: both streams arrive together, unless stdout goes elsewhere. */
function redundant(command: Pipeline["commands"][number] | undefined): number | undefined {
  if (command?.kind !== "simple" || command.redirects.length !== 1) return undefined;
  const [only] = command.redirects;
  const target = only && literal(only.target);
  const before = Math.max(...command.words.map(({ end }) => end), ...command.assigns.map(({ end }) => end));
  const said = only?.op === ">&" && only.fd === "2" && target === "1" && only.end === command.end;
  return said && Number.isFinite(before) ? before : undefined;
}
