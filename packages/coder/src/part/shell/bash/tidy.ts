import { basename, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import { commandsIn } from "../../../bash/commands.ts";
import { literalText } from "../../../bash/expand.ts";
import type { Parsed } from "../../../bash/parse.ts";
import type { List, ListItem, Pipeline, Redirect, ShellSyntax, Simple, TextSpan, Word } from "../../../bash/tree.ts";
import type { Files } from "../../../files/files.ts";

/** The directories that a command is read by. */
type Here = Pick<Files, "cwd" | "userHome">;

/** A command as it is run, and what was taken off it. */
export interface Tidied {
  command: string;
  cwd?: string;
  /** The number of last lines that a removed `| tail` asked for. */
  lines?: number;
  /** The command without the shell below that took the place of its pipe. */
  bare?: string;
}

export interface TidyOptions {
  /** True when a path is a directory that may be entered. */
  isDirectory(path: string): boolean;
  pipes: "strip" | "keep";
  /** A given one leaves a leading `cd` alone. */
  cwd?: string | undefined;
  read(command: string): Parsed;
}

/**
 * Takes a leading `cd` and a trailing `| tail` or `2>&1` off a command, where it is certain that this means the same.
 * `| head` stays: it ends what writes to it.
 */
export function tidy(here: Here, command: string, options: TidyOptions): Tidied {
  const read = options.read(command);
  if (!read.ok) return { command };
  const moved = options.cwd === undefined ? leadingCd(here, read.value, options.isDirectory) : undefined;
  const items = moved === undefined ? read.value.items : read.value.items.slice(1);
  const start = moved === undefined ? 0 : (items[0]?.pipeline.start ?? 0);
  const off = options.pipes === "strip" ? trailing(items) : undefined;
  // The text of a here-document may stand between a pipe and what reads from it.
  const cut = off && !(command.includes("<<") && command.slice(off.start, off.end).includes("\n")) ? off : undefined;
  return {
    command: cut ? without(command, cut, start) : command.slice(start),
    ...(moved !== undefined && { cwd: moved }),
    ...(cut?.lines !== undefined && { lines: cut.lines }),
    ...(cut?.alone !== undefined && { bare: without(command, { ...cut, alone: undefined }, start) }),
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
  const path = place && (literalText(place) ?? ownHome(place));
  if (!program || literalText(program) !== "cd" || !path || path.startsWith("-")) return undefined;
  // Quotes keep a tilde from being a home.
  const cwd = resolve(here.cwd, literalText(place) === undefined ? expandHome(path, here.userHome) : path);
  return isDirectory(cwd) ? cwd : undefined;
}

/** `~` and `~/…`; `~name` is somebody else's. */
function ownHome({ segments }: Word): string | undefined {
  const [only, ...more] = segments;
  return only?.kind === "text" && more.length === 0 && /^~(?:\/[\w./@%+,:=-]*)?$/.test(only.text)
    ? only.text
    : undefined;
}

/** A stretch that can go at the end, and the lines that it asked for. */
interface Off extends TextSpan {
  lines?: number;
  /** Start of a command that needs a subshell then, as it had one in the pipe. */
  alone?: number | undefined;
}

/** Keeps the text behind the stretch: here-documents have their text there. */
function without(command: string, { start, end, alone }: Off, from: number): string {
  const rest = command.slice(end);
  if (alone === undefined) return command.slice(from, start) + rest;
  return `${command.slice(from, alone)}(${command.slice(alone, start)})${rest}`;
}

function trailing(items: readonly ListItem[]): Off | undefined {
  const last = items.at(-1);
  if (!last || last.behind === "&" || last.pipeline.negated || last.pipeline.timed) return undefined;
  const { commands } = last.pipeline;
  const [before, final] = [commands.at(-2), commands.at(-1)];
  if (!final) return undefined;
  const lines = linesAsked(final);
  if (!before || lines === undefined || !standsAlone(last.pipeline) || !items.slice(0, -1).every(isSilent)) {
    const start = redundant(final);
    return start === undefined ? undefined : { start, end: final.end };
  }
  const [first, ...more] = commands.slice(0, -1);
  const alone = more.length === 0 && first?.kind === "simple" && !isFile(first) ? first.start : undefined;
  return { start: redundant(before) ?? before.end, end: final.end, lines, ...(alone !== undefined && { alone }) };
}

/** True when a program is named by its path. Any other name may be a function or an alias that changes the shell. */
const isFile = ({ words: [program] }: Simple): boolean => (program && literalText(program))?.includes("/") === true;

/** Counts the lines a `tail` shows that reads its input to the end and shows nothing else. */
function linesAsked(command: ShellSyntax): number | undefined {
  if (command.kind !== "simple" || command.assigns.length + command.redirects.length > 0) return undefined;
  const words = command.words.map(literalText);
  if (words.includes(undefined) || words[0] !== "tail") return undefined;
  const asked = /^(?:|(?:-n ?-?|--lines[= ]|-)([1-9]\d{0,6}))$/.exec(words.slice(1).join(" "));
  return asked ? Number(asked[1] ?? 10) : undefined;
}

/**
 * True when the stages before the last do the same when nothing reads from them, and show only what the last one would
 * read.
 */
function standsAlone(pipeline: Pipeline): boolean {
  const stages = pipeline.commands.slice(0, -1);
  if (!stages.every((stage, at) => isHeard(stage, pipeline.pipes[at]))) return false;
  const inside = commandsIn({
    ...pipeline,
    items: [{ pipeline: { ...pipeline, commands: stages }, behind: undefined }],
  });
  return !inside.some(({ command, words }) => (command.kind === "simple" && !words[0]) || isEndless(words));
}

/** A program or a shell below whose errors go where its output goes, or nowhere: who asks for lines gets no others. */
function isHeard(stage: ShellSyntax, pipe: Pipeline["pipes"][number] | undefined): boolean {
  if (stage.kind === "function" || (stage.kind === "compound" && stage.is !== "subshell")) return false;
  const said = stage.redirects.filter(({ op, fd = "0" }) => !(op.startsWith("<") && op !== "<>" && fd === "0"));
  const [only, ...more] = said;
  if (more.length > 0) return false;
  if (!only) return pipe === "|&";
  return only.fd === "2" && (isJoining(only) || /^>[>|]?$/.test(only.op));
}

/** `2>&1` */
const isJoining = ({ op, fd, target }: Redirect): boolean => op === ">&" && fd === "2" && literalText(target) === "1";

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

/**
 * True for a command that prints nothing unless it fails, and then ends the line: the last lines are those of the last
 * one.
 */
function isSilent({ pipeline, behind }: ListItem): boolean {
  const only = onlySimple(pipeline);
  if (!only || commandsIn({ ...pipeline, items: [{ pipeline, behind: undefined }] }).length > 1) return false;
  if (only.words.length === 0) return behind !== "&" && behind !== "||" && only.redirects.length === 0;
  return behind === "&&" && silent.test(only.words.map((word) => literalText(word) ?? "-").join(" "));
}

const silent = /^(?:(?:true|:|test|\[|sleep)(?: |$)|(?:cd|export) [^-])/;

/** Finds where a command ends without a final `2>&1`: both streams arrive together, unless stdout goes elsewhere. */
function redundant(command: ShellSyntax | undefined): number | undefined {
  if (command?.kind !== "simple" || command.redirects.length !== 1) return undefined;
  const [only] = command.redirects;
  const before = Math.max(...command.words.map(({ end }) => end), ...command.assigns.map(({ end }) => end));
  return only && isJoining(only) && only.end === command.end && Number.isFinite(before) ? before : undefined;
}
